package poot.api.driver;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import poot.api.executor.Fusion;
import poot.api.graph.TraceLimits;
import poot.api.model.KvForm;

/**
 * What a driver prepares, fixed for its life.
 *
 * @param cache  the rows, and what each can hold
 * @param passes how many tokens a pass takes, and which optional inputs it may bind
 * @param heads  what is prepared to be done with logits
 * @param bounds what preparing may use
 * @param verify whether the compiler verifies its own work, for tests
 * @param fusion how far the compiler joins equations into kernels
 */
public record DriverOptions(Cache cache, Passes passes, Heads heads, Bounds bounds, boolean verify, Fusion fusion) {
    /**
     * One row of 2048 positions, an F32 cache, chunks of 512, greedy and sampling heads over the whole vocabulary with
     * 20 logprobs, no encode pass, 256 entries in as much memory as there is.
     */
    public static final DriverOptions DEFAULT = new DriverOptions(
            new Cache(1, 2048, KvForm.F32, new Blocks.PerRow()),
            new Passes(512, 0, Set.of()),
            new Heads(EnumSet.of(HeadKind.GREEDY, HeadKind.SAMPLE), 20, 0),
            new Bounds(256, Bounds.ALL_THERE_IS, TraceLimits.DEFAULT), false, Fusion.FULL);

    /**
     * The rows of keys and values.
     *
     * @param rows     sequences open at once, and rows of an encode pass at most; at least 1
     * @param capacity positions a row can hold, at least 1
     * @param kv       how keys and values are cached: F32, which loses nothing; F16 or BF16, which take half the memory,
     *     or Q8_0, which takes about a quarter: these round each key and value once
     * @param blocks   whose the memory of keys and values is
     */
    public record Cache(int rows, int capacity, KvForm kv, Blocks blocks) {
        public Cache {
            require(rows >= 1, "rows", rows);
            require(capacity >= 1, "capacity", capacity);
            Objects.requireNonNull(kv);
            Objects.requireNonNull(blocks);
        }
    }

    /** Whose the memory of keys and values is. */
    public sealed interface Blocks {
        /** Every row owns memory for its whole capacity: a sequence never waits for a block, and none is shared. */
        record PerRow() implements Blocks {}

        /**
         * All rows share one pool of blocks and take them as they grow.
         *
         * @param blocks    blocks of the pool; enough for one row's capacity, so that a sequence alone never runs dry.
         *     {@link poot.api.model.ModelSchema#kvBytes} says what a block takes
         * @param positions positions of a block, at least 1
         * @param reuse     whether filled blocks are kept after their sequence, until they are needed, for requests that
         *     begin with the same tokens
         */
        record Pool(int blocks, int positions, boolean reuse) implements Blocks {
            public Pool {
                require(blocks >= 1, "blocks", blocks);
                require(positions >= 1, "positions", positions);
            }
        }
    }

    /**
     * The passes a driver makes.
     *
     * @param prefillChunk prompt tokens a step feeds a row at most, at least 1
     * @param encodeTokens tokens of a row of an encode pass at most; 0 prepares no encode pass
     * @param carried      combinations of optional request inputs to prepare passes for, beside none
     */
    public record Passes(int prefillChunk, int encodeTokens, Set<Set<String>> carried) {
        public Passes {
            require(prefillChunk >= 1, "prefillChunk", prefillChunk);
            require(encodeTokens >= 0, "encodeTokens", encodeTokens);
            Set<Set<String>> copy = new LinkedHashSet<>();
            carried.forEach(c -> copy.add(Set.copyOf(c)));
            carried = Collections.unmodifiableSet(copy);
        }
    }

    /**
     * The heads of steps.
     *
     * @param kinds      which are prepared; none serves encode passes alone
     * @param logprobs   likeliest tokens the sampling head reports at most
     * @param candidates tokens a draw chooses among, the likeliest; 0 for the whole vocabulary, which is exact
     */
    public record Heads(Set<HeadKind> kinds, int logprobs, int candidates) {
        public Heads {
            require(logprobs >= 0, "logprobs", logprobs);
            require(candidates >= 0, "candidates", candidates);
            kinds = Collections.unmodifiableSet(kinds.isEmpty() ? EnumSet.noneOf(HeadKind.class) : EnumSet.copyOf(kinds));
        }
    }

    /**
     * What preparing may use. Whatever the bounds say, what does not fit the memory that the backend has left is refused before
     * it is allocated, where the backend knows ({@link poot.api.executor.Executable#memory}).
     *
     * @param entries       compiled steps at most, at least 1
     * @param retainedBytes bytes of entries and states at most, weights not counted wherever they lie; {@link #ALL_THERE_IS} for
     *     no bound but the memory
     * @param trace         what one trace may use
     */
    public record Bounds(int entries, long retainedBytes, TraceLimits trace) {
        /** No bound but the memory there is. */
        public static final long ALL_THERE_IS = Long.MAX_VALUE;

        public Bounds {
            require(entries >= 1, "entries", entries);
            require(retainedBytes >= 0, "retainedBytes", retainedBytes);
            Objects.requireNonNull(trace);
        }
    }

    public DriverOptions {
        Objects.requireNonNull(cache);
        Objects.requireNonNull(passes);
        Objects.requireNonNull(heads);
        Objects.requireNonNull(bounds);
        Objects.requireNonNull(fusion);
    }

    private static void require(boolean holds, String option, long value) {
        if (!holds) {
            throw new IllegalArgumentException(option + " " + value);
        }
    }

    /** With that many rows. */
    public DriverOptions withRows(int n) {
        return with(new Cache(n, cache.capacity, cache.kv, cache.blocks));
    }

    /** With rows of that many positions. */
    public DriverOptions withCapacity(int positions) {
        return with(new Cache(cache.rows, positions, cache.kv, cache.blocks));
    }

    /** With keys and values cached in that form. */
    public DriverOptions withKv(KvForm form) {
        return with(new Cache(cache.rows, cache.capacity, form, cache.blocks));
    }

    /** With one pool of that many blocks of so many positions each, which keeps what it held for reuse, or not. */
    public DriverOptions withPool(int blocks, int positions, boolean reuse) {
        return with(new Cache(cache.rows, cache.capacity, cache.kv, new Blocks.Pool(blocks, positions, reuse)));
    }

    /** With prompts fed that many tokens a step. */
    public DriverOptions withPrefillChunk(int tokens) {
        return with(new Passes(tokens, passes.encodeTokens, passes.carried));
    }

    /** With encode passes of up to that many tokens; 0 for none. */
    public DriverOptions withEncodeTokens(int tokens) {
        return with(new Passes(passes.prefillChunk, tokens, passes.carried));
    }

    /** With passes for these combinations of optional request inputs. */
    public DriverOptions withCarried(Set<Set<String>> combinations) {
        return with(new Passes(passes.prefillChunk, passes.encodeTokens, combinations));
    }

    /** With these heads. */
    public DriverOptions withHeads(Set<HeadKind> kinds) {
        return with(new Heads(kinds, heads.logprobs, heads.candidates));
    }

    /** With up to that many logprobs reported. */
    public DriverOptions withLogprobs(int n) {
        return with(new Heads(heads.kinds, n, heads.candidates));
    }

    /** With draws among that many of the likeliest tokens; 0 for all. */
    public DriverOptions withCandidates(int n) {
        return with(new Heads(heads.kinds, heads.logprobs, n));
    }

    /** Within these bounds. */
    public DriverOptions withBounds(Bounds b) {
        return new DriverOptions(cache, passes, heads, b, verify, fusion);
    }

    /** With the compiler verifying its own work, or not. */
    public DriverOptions withVerify(boolean yes) {
        return new DriverOptions(cache, passes, heads, bounds, yes, fusion);
    }

    /** With the compiler joining equations that far. */
    public DriverOptions withFusion(Fusion far) {
        return new DriverOptions(cache, passes, heads, bounds, verify, far);
    }

    private DriverOptions with(Cache c) {
        return new DriverOptions(c, passes, heads, bounds, verify, fusion);
    }

    private DriverOptions with(Passes p) {
        return new DriverOptions(cache, p, heads, bounds, verify, fusion);
    }

    private DriverOptions with(Heads h) {
        return new DriverOptions(cache, passes, h, bounds, verify, fusion);
    }
}
