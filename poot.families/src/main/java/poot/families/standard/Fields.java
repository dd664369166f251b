package poot.families.standard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import poot.api.graph.Composite.Activation;
import poot.api.model.ConfigException;
import poot.api.model.ConfigSource;
import poot.api.model.RawConfig;
import poot.families.components.AttentionParams;
import poot.families.components.AttentionParams.Heads;
import poot.families.components.FeedForward;
import poot.families.components.Norm;
import poot.families.components.Rotary;

/**
 * The usual fields of a configuration, each checked as it is read, whichever way the checkpoint spells it. Bounds are
 * generous but finite, so that no later size overflows and no count makes a loop long.
 */
public final class Fields {
    /** Most layers a model may have. */
    public static final int MAX_LAYERS = 1 << 10;
    /** Most features. */
    public static final int MAX_EXTENT = 1 << 20;
    /** Most heads, and most features of one. */
    public static final int MAX_HEADS = 1 << 14;
    /** Most tokens and positions. */
    public static final int MAX_TOKENS = 1 << 26;
    /** GGUF's number for pooling by the last token. */
    private static final int LAST_TOKEN = 3;

    private final RawConfig c;
    private final String prefix;

    private Fields(RawConfig c, String prefix) {
        this.c = c;
        this.prefix = prefix;
    }

    /** The fields of a configuration. */
    public static Fields of(RawConfig c) throws ConfigException {
        return new Fields(c, c.source() == ConfigSource.GGUF ? c.text("general.architecture") + "." : "");
    }

    /** The configuration itself. */
    public RawConfig config() {
        return c;
    }

    /** Whether this is GGUF metadata. */
    public boolean isGguf() {
        return c.source() == ConfigSource.GGUF;
    }

    /** The key this checkpoint has for a field; the usual one where it has none. */
    public String key(Field f) throws ConfigException {
        if (isGguf()) {
            return prefix + f.gguf();
        }
        String found = null;
        for (String k : f.hf()) {
            if (!c.has(k)) {
                continue;
            }
            if (found != null && !c.raw(found).equals(c.raw(k))) {
                throw c.invalid(k, c.raw(k), "the same as \"" + found + "\"");
            }
            found = found == null ? k : found;
        }
        return found == null ? f.hf().get(0) : found;
    }

    /** A key of the GGUF's architecture. */
    public String gguf(String name) {
        return prefix + name;
    }

    /** A key of the GGUF's architecture, or a key of the Hugging Face configuration. */
    public String key(String gguf, String hf) {
        return isGguf() ? prefix + gguf : hf;
    }

    /** Whether the checkpoint gives a field. */
    public boolean has(Field f) throws ConfigException {
        return c.has(key(f));
    }

    /** A positive extent that must be given. */
    public int extent(Field f) throws ConfigException {
        return c.integer(key(f), 1, MAX_EXTENT);
    }

    /** A positive extent, or the fallback. */
    public int extent(Field f, int fallback) throws ConfigException {
        return c.integer(key(f), 1, MAX_EXTENT, fallback);
    }

    /** A positive number that must be given. */
    public double positive(Field f) throws ConfigException {
        return positive(c, key(f));
    }

    /** A positive number, or the fallback. */
    public double positive(Field f, double fallback) throws ConfigException {
        return has(f) ? positive(f) : fallback;
    }

    /** A positive number of any configuration that must be given. */
    public static double positive(RawConfig c, String key) throws ConfigException {
        double x = c.number(key);
        if (x > 0 && x < Float.MAX_VALUE && (float) x > 0) {
            return x;
        }
        throw c.invalid(key, x, "a positive number");
    }

    /** A positive number of any configuration, or the fallback. */
    public static double positive(RawConfig c, String key, double fallback) throws ConfigException {
        return c.has(key) ? positive(c, key) : fallback;
    }

    /** The number of layers. */
    public int layers() throws ConfigException {
        return c.integer(key(Field.LAYERS), 1, MAX_LAYERS);
    }

    /** The positions the model was made for. */
    public int context() throws ConfigException {
        return c.integer(key(Field.CONTEXT), 1, MAX_TOKENS);
    }

    /** The positions the model was made for, or the fallback. */
    public int context(int fallback) throws ConfigException {
        return c.integer(key(Field.CONTEXT), 1, MAX_TOKENS, fallback);
    }

    /** The number of token ids; of a GGUF that does not say, the number of its tokens. */
    public int vocabulary() throws ConfigException {
        String tokens = "tokenizer.ggml.tokens";
        if (isGguf() && !has(Field.VOCABULARY)) {
            int n = c.list(tokens).size();
            if (n < 1 || n > MAX_TOKENS) {
                throw c.invalid(tokens, "a list of " + n, "1 to " + MAX_TOKENS + " tokens");
            }
            return n;
        }
        return c.integer(key(Field.VOCABULARY), 1, MAX_TOKENS);
    }

    /** Head counts and features; without a key for them, a head has hidden/heads features. */
    public Heads heads() throws ConfigException {
        int hidden = extent(Field.HIDDEN);
        int heads = c.integer(key(Field.HEADS), 1, MAX_HEADS);
        int groups = c.integer(key(Field.GROUPS), 1, MAX_HEADS, heads);
        if (heads % groups != 0) {
            throw c.invalid(key(Field.GROUPS), groups, "a divisor of the " + heads + " heads");
        }
        if (!has(Field.HEAD_DIM) && hidden % heads != 0) {
            throw c.invalid(key(Field.HEADS), heads, "a divisor of the " + hidden + " hidden features");
        }
        int dim = c.integer(key(Field.HEAD_DIM), 1, MAX_HEADS, hidden / heads);
        String value = prefix + "attention.value_length";
        if (isGguf() && c.integer(value, 1, MAX_EXTENT, dim) != dim) {
            throw c.unsupported(value, "keys have " + dim + " features, and values must have as many");
        }
        if (heads * dim > 1 << 24) {
            throw c.invalid(key(Field.HEADS), heads, "at most " + (1 << 24) + " features over all heads");
        }
        return new Heads(heads, groups, dim);
    }

    /** The positions of a sliding window, the own included; 0 where none is given. */
    public int window() throws ConfigException {
        return c.integer(key(Field.WINDOW), 1, MAX_TOKENS, 0);
    }

    /** The root-mean-square norm. */
    public Norm rmsNorm() throws ConfigException {
        return Norm.rms(epsilon(Field.RMS_EPS));
    }

    /** An epsilon: positive and at most 1. */
    public float epsilon(Field f) throws ConfigException {
        double eps = positive(f);
        if (eps > 1) {
            throw c.invalid(key(f), eps, "at most 1");
        }
        return (float) eps;
    }

    /** The nonlinearity a Hugging Face configuration names under a key; {@code none} where it has no such key. */
    public Activation activation(String key, Optional<Activation> none) throws ConfigException {
        if (none.isPresent() && !c.has(key)) {
            return none.get();
        }
        return switch (c.text(key)) {
            case "silu", "swish" -> Activation.SILU;
            case "gelu" -> Activation.GELU_ERF;
            case "gelu_pytorch_tanh", "gelu_new", "gelu_fast" -> Activation.GELU_TANH;
            case "relu" -> Activation.RELU;
            default -> throw c.unsupported(key, "the nonlinearities are silu, gelu, gelu_pytorch_tanh, gelu_new, relu");
        };
    }

    /** Whether a Hugging Face configuration ties head and embedding; of a GGUF the tensors decide. */
    public boolean tied(boolean fallback) throws ConfigException {
        return isGguf() || c.flag("tie_word_embeddings", fallback);
    }

    /** A flag of a Hugging Face configuration; false in a GGUF. */
    public boolean flag(String hf, boolean fallback) throws ConfigException {
        return !isGguf() && c.flag(hf, fallback);
    }

    /** Refuses a flag that is not {@code expected}, where a Hugging Face configuration gives it. */
    public void require(String hf, boolean expected, String reason) throws ConfigException {
        if (!isGguf() && c.flag(hf, expected) != expected) {
            throw c.unsupported(hf, reason);
        }
    }

    /** Marks keys of a Hugging Face configuration that change nothing in this family. */
    public Fields inert(String... keys) {
        for (String k : keys) {
            c.raw(k);
        }
        return this;
    }

    /** The ids that end a generation, those of the generation configuration beside it included. */
    public SortedSet<Integer> endOfSequence(int vocabulary) throws ConfigException {
        if (isGguf()) {
            return GgufEndings.of(c, vocabulary);
        }
        SortedSet<Integer> ids = new TreeSet<>();
        ids.addAll(c.integers("eos_token_id", 0, vocabulary - 1));
        Optional<RawConfig> generation = c.companion("generation_config.json");
        if (generation.isPresent()) {
            ids.addAll(generation.get().integers("eos_token_id", 0, vocabulary - 1));
        }
        return ids;
    }

    /** The window of each layer of a Hugging Face configuration by its {@code layer_types}; empty without that key. */
    public Optional<List<Boolean>> slidingLayers(int layers) throws ConfigException {
        if (isGguf() || !c.has("layer_types")) {
            return Optional.empty();
        }
        List<?> types = c.list("layer_types");
        if (types.size() != layers) {
            throw c.invalid("layer_types", "a list of " + types.size(), "one entry for each of the " + layers + " layers");
        }
        List<Boolean> sliding = new ArrayList<>();
        for (Object t : types) {
            switch (String.valueOf(t)) {
                case "full_attention" -> sliding.add(false);
                case "sliding_attention" -> sliding.add(true);
                default -> throw c.unsupported("layer_types", "the kinds are full_attention and sliding_attention");
            }
        }
        return Optional.of(List.copyOf(sliding));
    }

    /**
     * A decoder with the usual fields: RMS norms before the blocks, grouped-query attention with rotary positions,
     * a gated feed-forward.
     */
    public StandardParams.Builder dense(Rotary rotary, Activation activation) throws ConfigException {
        Heads h = heads();
        AttentionParams attention = AttentionParams.of(h.query(), h.groups(), h.dim()).withRotary(rotary);
        return decoder(rmsNorm(), attention, new FeedForward.Gated(extent(Field.FEED_FORWARD), activation, false));
    }

    /** A decoder of equal layers with the usual sizes. */
    public StandardParams.Builder decoder(Norm norm, AttentionParams attention, FeedForward feedForward) throws ConfigException {
        return decoder(context(), norm, attention, feedForward);
    }

    /** A decoder of equal layers made for {@code context} positions. */
    public StandardParams.Builder decoder(int context, Norm norm, AttentionParams attention, FeedForward feedForward)
            throws ConfigException {
        int vocabulary = vocabulary();
        String pooling = prefix + "pooling_type";
        if (isGguf() && c.integer(pooling, 0, 4, LAST_TOKEN) != LAST_TOKEN) {
            throw c.unsupported(pooling, "a decoder's embedding is its last token's, 3");
        }
        return StandardParams.of(vocabulary, extent(Field.HIDDEN), context, layers(), norm, attention, feedForward)
                .endOfSequence(endOfSequence(vocabulary));
    }
}
