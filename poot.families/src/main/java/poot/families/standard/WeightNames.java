package poot.families.standard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.model.ConfigSource;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.api.model.WeightStore;
import poot.families.components.AttentionParams;
import poot.families.components.AttentionParams.Layout;
import poot.families.components.AttentionParams.Positions;
import poot.families.components.FeedForward;
import poot.families.components.Rotary;

/**
 * The tensor names of one checkpoint, and which of them feeds a role. Starts with the usual spelling of its kind of
 * checkpoint; a family changes what it spells otherwise. Immutable.
 */
public final class WeightNames {
    /** Neighbouring rows of a fused tensor, in order: the role (without {@code layers.N.}) and how many. */
    public record Part(String role, int rows) {}

    private record Range(String tensor, int from, int to, int of) {}

    private final ConfigSource source;
    private final SortedSet<String> present;
    private final Spelling spelling;
    private final Map<String, Range> fused;

    private WeightNames(ConfigSource source, SortedSet<String> present, Spelling spelling, Map<String, Range> fused) {
        this.source = source;
        this.present = present;
        this.spelling = spelling;
        this.fused = Map.copyOf(fused);
    }

    /**
     * The names of a checkpoint, in the usual spelling of its kind. A Hugging Face checkpoint saved without its head
     * spells them without {@code model.}.
     */
    public static WeightNames of(ConfigSource source, WeightStore store) {
        return new WeightNames(Objects.requireNonNull(source), store.names(), Spelling.of(source), Map.of())
                .hfRoot("layers.", "model.", "");
    }

    /** Which kind of checkpoint this is. */
    public ConfigSource source() {
        return source;
    }

    /** Whether the checkpoint holds a tensor of that name. */
    public boolean has(String tensor) {
        return present.contains(tensor);
    }

    /** These names with another spelling of a role (without {@code layers.N.}) in a Hugging Face checkpoint. */
    public WeightNames hf(String role, String name) {
        return source == ConfigSource.HF ? with(spelling.with(role, name)) : this;
    }

    /** These names with another spelling of a role (without {@code layers.N.}) in a GGUF. */
    public WeightNames gguf(String role, String name) {
        return source == ConfigSource.GGUF ? with(spelling.with(role, name)) : this;
    }

    /**
     * These names under the first of some roots of a Hugging Face checkpoint where the embedding is found; under the
     * first root if it is nowhere. A layer's names follow {@code layer}, its index and a dot.
     */
    public WeightNames hfRoot(String layer, String... roots) {
        if (source != ConfigSource.HF) {
            return this;
        }
        for (String root : roots) {
            Spelling s = spelling.under(root, layer);
            if (has(s.name(-1, "embedding") + ".weight")) {
                return with(s);
            }
        }
        return with(spelling.under(roots[0], layer));
    }

    private WeightNames with(Spelling s) {
        return new WeightNames(source, present, s, fused);
    }

    /** These names with some roles of every layer stored as neighbouring rows of one tensor of the layer. */
    public WeightNames fused(String tensor, Part... parts) {
        int of = List.of(parts).stream().mapToInt(Part::rows).sum();
        Map<String, Range> ranges = new HashMap<>(fused);
        int from = 0;
        for (Part p : parts) {
            ranges.put(p.role(), new Range(tensor, from, from + p.rows(), of));
            from += p.rows();
        }
        return new WeightNames(source, present, spelling, ranges);
    }

    /** The parts of a fused q | k | v projection. */
    public static Part[] queryKeyValue(AttentionParams.Heads h) {
        return new Part[] {new Part("attention.query", h.queryWidth()), new Part("attention.key", h.keyWidth()),
                new Part("attention.value", h.keyWidth())};
    }

    /** The parts of a fused gate | up projection. */
    public static Part[] gateUp(FeedForward f) {
        return new Part[] {new Part("feed_forward.gate", f.width()), new Part("feed_forward.up", f.width())};
    }

    /**
     * The parameters as this checkpoint has them, where it says so only by a tensor's presence: biases are those that
     * are stored, of a GGUF and of a quantised checkpoint, whose writers add them; in a GGUF the head is tied when it
     * is absent, and rotary frequencies are divided by stored factors.
     */
    StandardParams settle(StandardParams p, boolean quantised) {
        return switch (source) {
            case HF -> quantised ? biased(p) : p;
            case GGUF -> biased(p).change().tiedHead(!has(spelling.name(-1, "head") + ".weight")).attention(this::rotated).build();
        };
    }

    private StandardParams biased(StandardParams p) {
        boolean input = stored("attention.query") || has(spelling.layerPrefix(0) + "attn_qkv.bias");
        boolean output = stored("attention.output");
        boolean plain = stored("feed_forward.up");
        return p.change()
                .attention(a -> a.withBias(a.projections().inputBias() || input, a.projections().outputBias() || output))
                .feedForward(f -> f.withBias(f.biased() || plain)).build();
    }

    private boolean stored(String role) {
        return has(spelling.name(0, role) + ".bias");
    }

    private AttentionParams rotated(AttentionParams a) {
        if (!(a.positions() instanceof Positions.Rotated p)) {
            return a;
        }
        Rotary r = p.rotary();
        if (stored(Factors.SHORT) && stored(Factors.LONG)) {
            return a.withRotary(r.with(r.within().dividedBy(Role.of(Factors.SHORT.role)),
                    Optional.of(r.within().dividedBy(Role.of(Factors.LONG.role)))));
        }
        return stored(Factors.ALL) ? a.withRotary(r.with(r.within().dividedBy(Role.of(Factors.ALL.role)), r.beyond())) : a;
    }

    private enum Factors {
        ALL("rope.factors"), SHORT("rope.factors_short"), LONG("rope.factors_long");

        private final String role;

        Factors(String role) {
            this.role = role;
        }
    }

    private boolean stored(Factors f) {
        return has(spelling.name(-1, f.role) + ".weight");
    }

    /**
     * Every role of a standard decoder under these names.
     *
     * @throws WeightException if the checkpoint holds nothing of the last layer
     */
    public WeightMap standard(StandardParams p) throws WeightException {
        WeightNames names = this;
        AttentionParams first = p.layers().get(0).attention();
        String qkv = spelling.layerPrefix(0) + "attn_qkv.weight";
        if (source == ConfigSource.GGUF && first.projections().layout() == Layout.SEPARATE && has(qkv)) {
            names = fused("attn_qkv", queryKeyValue(first.heads()));
        }
        names.requireLayers(p.layers().size());
        return names.map(StandardModel.roles(p));
    }

    /** Each of some roles, whole or as the rows a family fused it into. */
    public WeightMap map(SortedMap<Role, Shape> roles) {
        WeightMap.Builder map = WeightMap.builder();
        roles.forEach((role, shape) -> put(map, role, shape));
        return map.build();
    }

    /** Refuses a checkpoint that holds nothing of the last of {@code layers} layers. */
    public void requireLayers(int layers) throws WeightException {
        String prefix = spelling.layerPrefix(layers - 1);
        SortedSet<String> from = present.tailSet(prefix);
        if (from.isEmpty() || !from.first().startsWith(prefix)) {
            throw new WeightException(new WeightException.Missing(prefix + "*", Role.layer(layers - 1)));
        }
    }

    private void put(WeightMap.Builder map, Role role, Shape shape) {
        String path = role.path();
        boolean bias = path.endsWith(".bias");
        String bare = bias ? path.substring(0, path.length() - ".bias".length()) : path;
        int layer = -1;
        if (bare.startsWith("layers.")) {
            int dot = bare.indexOf('.', "layers.".length());
            layer = Integer.parseInt(bare, "layers.".length(), dot, 10);
            bare = bare.substring(dot + 1);
        }
        String suffix = bias ? ".bias" : ".weight";
        Range range = layer < 0 ? null : fused.get(bare);
        if (range == null) {
            map.whole(role, spelling.name(layer, bare) + suffix, shape.dims());
        } else {
            String tensor = spelling.layerPrefix(layer) + range.tensor() + suffix;
            map.rows(role, tensor, range.from(), range.to(), range.of(), shape.dims());
        }
    }
}
