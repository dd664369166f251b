package poot.addamodel;

import java.util.List;
import java.util.Map;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.FamilyEntry;
import poot.api.model.FamilyKey;
import poot.api.model.LoadException;
import poot.api.model.ModelParts;
import poot.api.model.RawConfig;
import poot.api.model.RequestInput;
import poot.api.model.StepInput;
import poot.api.model.StepShape;
import poot.api.model.WeightMap;
import poot.api.model.WeightStore;

/** Three families poot does not ship. */
final class Families {
    /** Biased layer norms, rotation of half the features, and one fused QKV tensor read as three row ranges. */
    static final FamilyEntry FUSED = entry("fused-rows", Families::fused);

    /** One norm for attention and feed-forward side by side; QKV rows interleaved head by head: [H, 3, D]. */
    static final FamilyEntry PARALLEL = entry("parallel-heads", Families::parallel);

    /** A tag with every token, embedded and added: an input only this family knows. */
    static final FamilyEntry TAGGED = entry("tagged-tokens", Families::tagged);

    static final List<FamilyEntry> ALL = List.of(FUSED, PARALLEL, TAGGED);

    /** The request input of {@link #TAGGED}. */
    static final RequestInput TAG = new RequestInput("tag", ElementType.I32, RequestInput.Extent.PER_POSITION, Shape.SCALAR, 0,
            RequestInput.Presence.DEFAULTED);

    private static final int TAGS = 5;

    private Families() {}

    private static FamilyEntry entry(String name, FamilyEntry.Build build) {
        return new FamilyEntry(name, List.of(FamilyKey.hf(name)), build);
    }

    /** The values of a tiny config.json. */
    static Map<String, Object> config(FamilyEntry family) {
        return Map.of("model_type", family.family(), "vocab_size", 64L, "hidden_size", 24L, "num_hidden_layers", 2L,
                "num_attention_heads", 3L, "max_position_embeddings", 64L, "eos_token_id", List.of(63L));
    }

    private static ModelParts fused(RawConfig c, WeightStore w) throws LoadException {
        SmallModel.Sizes s = SmallModel.Sizes.read(c);
        int n = s.hidden();
        WeightMap.Builder map = ends(s);
        for (int i = 0; i < s.layers(); i++) {
            Role layer = Role.layer(i);
            String name = "block." + i + ".";
            norm(map, layer.in("norm1"), name + "norm1", n);
            int from = 0;
            for (String part : List.of("query", "key", "value")) {
                map.rows(layer.in(part).in("weight"), name + "qkv.weight", from, from + n, 3 * n, n, n);
                map.rows(layer.in(part).in("bias"), name + "qkv.bias", from, from + n, 3 * n, n);
                from += n;
            }
            linear(map, layer.in("out"), name + "out", n, n);
            norm(map, layer.in("norm2"), name + "norm2", n);
            feedForward(map, layer, name, n);
        }
        return ModelParts.of(SmallModel.of("fused-rows", s, map.build(), List.of(), (spec, b) -> {
            StepShape shape = spec.shape();
            Value x = embed(b, shape, s);
            for (int i = 0; i < s.layers(); i++) {
                Role layer = Role.layer(i);
                Value h = Parts.layerNorm(b, x, layer.in("norm1"), 1e-5f);
                Value q = turned(b, shape, s, heads(b, s, Parts.linear(b, h, layer.in("query"), n)));
                Value k = turned(b, shape, s, heads(b, s, Parts.linear(b, h, layer.in("key"), n)));
                Value v = heads(b, s, Parts.linear(b, h, layer.in("value"), n));
                x = b.add(x, Parts.linear(b, merged(b, Parts.attend(b, shape, i, q, k, v)), layer.in("out"), n));
                x = b.add(x, feedForward(b, Parts.layerNorm(b, x, layer.in("norm2"), 1e-5f), layer));
            }
            Parts.head(b, shape, Parts.layerNorm(b, x, Role.of("final"), 1e-5f), s.vocabulary());
        }));
    }

    private static ModelParts parallel(RawConfig c, WeightStore w) throws LoadException {
        SmallModel.Sizes s = SmallModel.Sizes.read(c);
        return ModelParts.of(SmallModel.of("parallel-heads", s, parallelWeights(s).build(), List.of(),
                (spec, b) -> parallelStep(b, spec.shape(), s, embed(b, spec.shape(), s))));
    }

    private static ModelParts tagged(RawConfig c, WeightStore w) throws LoadException {
        SmallModel.Sizes s = SmallModel.Sizes.read(c);
        WeightMap map = parallelWeights(s).whole(Role.of("tags"), "tags", TAGS, s.hidden()).build();
        return ModelParts.of(SmallModel.of("tagged-tokens", s, map, List.of(TAG), (spec, b) -> {
            Value tag = b.slot(TAG.name(), TAG.type(spec.shape()));                         // [R, T]
            Value tags = b.gather(b.weight(Role.of("tags"), TAGS, s.hidden()), tag);        // [R, T, N]
            parallelStep(b, spec.shape(), s, b.add(embed(b, spec.shape(), s), tags));
        }));
    }

    private static WeightMap.Builder parallelWeights(SmallModel.Sizes s) {
        int n = s.hidden();
        WeightMap.Builder map = ends(s);
        for (int i = 0; i < s.layers(); i++) {
            norm(map, Role.layer(i).in("norm"), "block." + i + ".norm", n);
            linear(map, Role.layer(i).in("qkv"), "block." + i + ".qkv", 3 * n, n);
            linear(map, Role.layer(i).in("out"), "block." + i + ".out", n, n);
            feedForward(map, Role.layer(i), "block." + i + ".", n);
        }
        return map;
    }

    private static void parallelStep(Builder b, StepShape shape, SmallModel.Sizes s, Value embedded) throws TraceException {
        int n = s.hidden();
        Value x = embedded;
        for (int i = 0; i < s.layers(); i++) {
            Role layer = Role.layer(i);
            Value h = Parts.layerNorm(b, x, layer.in("norm"), 1e-5f);
            Value qkv = b.reshape(Parts.linear(b, h, layer.in("qkv"), 3 * n),
                    shape.rows(), shape.tokens(), s.heads(), 3, s.headDim());               // [R, T, H, 3, D]
            Value q = turned(b, shape, s, part(b, qkv, 0));
            Value k = turned(b, shape, s, part(b, qkv, 1));
            Value attended = merged(b, Parts.attend(b, shape, i, q, k, part(b, qkv, 2)));
            x = b.add(x, b.add(Parts.linear(b, attended, layer.in("out"), n), feedForward(b, h, layer)));
        }
        Parts.head(b, shape, Parts.layerNorm(b, x, Role.of("final"), 1e-5f), s.vocabulary());
    }

    private static Value part(Builder b, Value qkv, int which) throws TraceException {
        Shape s = qkv.shape();
        return b.reshape(b.slice(qkv, 3, which, which + 1), s.dim(0), s.dim(1), s.dim(2), s.dim(4));
    }

    private static WeightMap.Builder ends(SmallModel.Sizes s) {
        WeightMap.Builder map = WeightMap.builder()
                .whole(Role.of("embedding"), "embedding", s.vocabulary(), s.hidden())
                .whole(Role.of("head"), "head", s.vocabulary(), s.hidden());
        norm(map, Role.of("final"), "final", s.hidden());
        return map;
    }

    private static void norm(WeightMap.Builder map, Role role, String name, int n) {
        map.whole(role.in("weight"), name + ".weight", n).whole(role.in("bias"), name + ".bias", n);
    }

    private static void linear(WeightMap.Builder map, Role role, String name, int out, int in) {
        map.whole(role.in("weight"), name + ".weight", out, in).whole(role.in("bias"), name + ".bias", out);
    }

    private static void feedForward(WeightMap.Builder map, Role layer, String name, int n) {
        linear(map, layer.in("up"), name + "up", 2 * n, n);
        linear(map, layer.in("down"), name + "down", n, 2 * n);
    }

    private static Value embed(Builder b, StepShape shape, SmallModel.Sizes s) throws TraceException {
        return b.gather(b.weight(Role.of("embedding"), s.vocabulary(), s.hidden()), StepInput.TOKENS.in(b, shape));
    }

    private static Value feedForward(Builder b, Value x, Role layer) throws TraceException {
        int n = x.shape().dim(-1);
        return Parts.linear(b, Parts.relu(b, Parts.linear(b, x, layer.in("up"), 2 * n)), layer.in("down"), n);
    }

    private static Value turned(Builder b, StepShape shape, SmallModel.Sizes s, Value x) throws TraceException {
        return Parts.rope(b, x, StepInput.POSITIONS.in(b, shape), s.headDim() / 2);
    }

    private static Value heads(Builder b, SmallModel.Sizes s, Value x) throws TraceException {
        return b.reshape(x, x.shape().dim(0), x.shape().dim(1), s.heads(), s.headDim());
    }

    private static Value merged(Builder b, Value x) throws TraceException {
        return b.reshape(x, x.shape().dim(0), x.shape().dim(1), x.shape().dim(2) * x.shape().dim(3));
    }
}
