package poot.families.standard;

import java.util.Optional;
import poot.api.model.ConfigException;
import poot.api.model.RawConfig;
import poot.families.components.RopeFrequencies;
import poot.families.components.Rotary;

/**
 * Reads the rotary embedding of a configuration: {@code rope_theta} with {@code rope_scaling}, or
 * {@code rope_parameters}, or the {@code rope.*} keys of a GGUF. Scalings: default, linear, llama3, yarn, longrope.
 */
public final class RopeConfig {
    private final Fields f;
    private final RawConfig c;
    private boolean interleaved;
    private double theta = 10000;
    private double share = 1;
    private Optional<RawConfig> parameters = Optional.empty();

    private RopeConfig(Fields f) {
        this.f = f;
        this.c = f.config();
    }

    /** A reader of the rotary embedding of a whole head, with theta 10000 where none is given. */
    public static RopeConfig of(Fields f) {
        return new RopeConfig(f);
    }

    /** Pairs are interleaved where the checkpoint is a GGUF. */
    public RopeConfig interleavedInGguf(boolean yes) {
        interleaved = yes;
        return this;
    }

    /** Another theta where none is given. */
    public RopeConfig theta(double fallback) {
        theta = fallback;
        return this;
    }

    /** Only a share of a head's features turn, where the configuration says so under {@code partial_rotary_factor}. */
    public RopeConfig partial() throws ConfigException {
        share = f.isGguf() ? 1 : Fields.positive(c, "partial_rotary_factor", 1);
        if (share > 1) {
            throw c.invalid("partial_rotary_factor", share, "at most 1");
        }
        return this;
    }

    /** Reads these {@code rope_parameters} rather than those of the configuration. */
    public RopeConfig parameters(RawConfig p) {
        parameters = Optional.of(p);
        return this;
    }

    /** The rotary embedding. */
    public Rotary read() throws ConfigException {
        return f.isGguf() ? gguf() : hf();
    }

    private int dims(int d, String key) throws ConfigException {
        int head = f.heads().dim();
        if (d < 2 || d % 2 != 0 || d > head) {
            throw c.invalid(key, d, "an even number of rotary features up to the head's " + head);
        }
        return d;
    }

    // ---- Hugging Face ----

    private Rotary hf() throws ConfigException {
        if (parameters.isEmpty() && c.has("rope_parameters")) {
            parameters = Optional.of(c.object("rope_parameters"));
        }
        double base = parameters.isPresent()
                ? Fields.positive(parameters.get(), "rope_theta", theta) : Fields.positive(c, "rope_theta", theta);
        if (parameters.isPresent()) {
            share = Fields.positive(parameters.get(), "partial_rotary_factor", share);
        }
        int dims = dims((int) (f.heads().dim() * share), share == 1 ? f.key(Field.HEADS) : "partial_rotary_factor");
        if (parameters.isEmpty() && !c.has("rope_scaling")) {
            return Rotary.of(dims, false, RopeFrequencies.plain(dims, above1(base)));
        }
        RawConfig r = parameters.isPresent() ? parameters.get() : c.object("rope_scaling");
        String old = r.text("type", "default");
        Rotary rotary = switch (r.text("rope_type", old)) {
            case "default" -> Rotary.of(dims, false, RopeFrequencies.plain(dims, above1(base)));
            case "linear" -> Rotary.of(dims, false, RopeFrequencies.linear(dims, base, Fields.positive(r, "factor")));
            case "llama3" -> Rotary.of(dims, false, llama3(r, dims, base));
            case "yarn" -> Rotary.of(dims, false, yarn(r, dims, base));
            case "longrope", "su" -> longrope(r, dims, base);
            default -> throw r.unsupported(r.has("rope_type") ? "rope_type" : "type",
                    "the scalings are default, linear, llama3, yarn, longrope");
        };
        r.raw("finetuned");
        for (String key : r.unread()) {
            throw r.unknown(key);
        }
        return rotary;
    }

    private double above1(double base) throws ConfigException {
        if (base <= 1) {
            throw c.invalid(f.isGguf() ? f.gguf("rope.freq_base") : "rope_theta", base, "a number over 1");
        }
        return base;
    }

    private static RopeFrequencies llama3(RawConfig r, int dims, double base) throws ConfigException {
        double low = Fields.positive(r, "low_freq_factor");
        double high = Fields.positive(r, "high_freq_factor");
        if (high <= low) {
            throw r.invalid("high_freq_factor", high, "more than low_freq_factor " + low);
        }
        return RopeFrequencies.llama3(dims, base, Fields.positive(r, "factor"), low, high,
                Fields.positive(r, "original_max_position_embeddings"));
    }

    private RopeFrequencies yarn(RawConfig r, int dims, double base) throws ConfigException {
        double original = Fields.positive(r, "original_max_position_embeddings", f.context());
        double factor = Fields.positive(r, "factor", f.context() / original);
        double scale = Fields.positive(r, "attention_factor", RopeFrequencies.yarnScale(factor, 1));
        if (r.has("mscale") && r.has("mscale_all_dim") && !r.has("attention_factor")) {
            scale = RopeFrequencies.yarnScale(factor, Fields.positive(r, "mscale"))
                    / RopeFrequencies.yarnScale(factor, Fields.positive(r, "mscale_all_dim"));
        }
        return RopeFrequencies.yarn(dims, above1(base), factor, original, Fields.positive(r, "beta_fast", 32),
                Fields.positive(r, "beta_slow", 1), r.flag("truncate", true), scale);
    }

    private Rotary longrope(RawConfig r, int dims, double base) throws ConfigException {
        String key = "original_max_position_embeddings";
        int original = c.has(key) ? c.integer(key, 2, Fields.MAX_TOKENS) : r.integer(key, 2, Fields.MAX_TOKENS, f.context());
        double factor = original == f.context() ? Fields.positive(r, "factor", 1) : (double) f.context() / original;
        r.raw("factor");
        r.raw(key);
        double scale = Fields.positive(r, "attention_factor",
                factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original)));
        return new Rotary(dims, false, original,
                RopeFrequencies.divided(dims, base, factors(r, "short_factor", dims / 2), scale),
                Optional.of(RopeFrequencies.divided(dims, base, factors(r, "long_factor", dims / 2), scale)));
    }

    private static double[] factors(RawConfig r, String key, int pairs) throws ConfigException {
        double[] out = r.numbers(key);
        if (out.length != pairs) {
            throw r.invalid(key, "a list of " + out.length, "one number for each of the " + pairs + " rotary pairs");
        }
        for (double x : out) {
            if (!(x > 0)) {
                throw r.invalid(key, x, "positive numbers");
            }
        }
        return out;
    }

    // ---- GGUF ----

    private Rotary gguf() throws ConfigException {
        String count = f.gguf("rope.dimension_count");
        int dims = dims(c.integer(count, 2, Fields.MAX_EXTENT, f.heads().dim()), count);
        double base = above1(Fields.positive(c, f.gguf("rope.freq_base"), theta));
        String linear = f.gguf("rope.scale_linear");
        double factor = Fields.positive(c, f.gguf("rope.scaling.factor"), Fields.positive(c, linear, 1));
        double scale = Fields.positive(c, f.gguf("rope.scaling.attn_factor"), 1);
        int original = c.integer(f.gguf("rope.scaling.original_context_length"), 1, Fields.MAX_TOKENS, f.context());
        c.raw(f.gguf("rope.scaling.finetuned"));
        String type = f.gguf("rope.scaling.type");
        RopeFrequencies frequencies = switch (c.text(type, "linear")) {
            case "linear" -> RopeFrequencies.linear(dims, base, factor);
            case "none", "longrope" -> RopeFrequencies.plain(dims, base);
            case "yarn" -> yarn(dims, base, factor, original);
            default -> throw c.unsupported(type, "the scalings are none, linear, yarn, longrope");
        };
        return new Rotary(dims, interleaved, original, frequencies.scaled(scale), Optional.empty());
    }

    private RopeFrequencies yarn(int dims, double base, double factor, int original) throws ConfigException {
        double fast = Fields.positive(c, f.gguf("rope.scaling.yarn_beta_fast"), 32);
        double slow = Fields.positive(c, f.gguf("rope.scaling.yarn_beta_slow"), 1);
        return RopeFrequencies.yarn(dims, base, factor, original, fast, slow, true, RopeFrequencies.yarnScale(factor, 1));
    }
}
