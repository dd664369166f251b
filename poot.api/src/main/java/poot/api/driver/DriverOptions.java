package poot.api.driver;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import poot.api.graph.ElementType;
import poot.api.graph.TraceLimits;

/**
 * What a driver prepares, fixed for its life.
 *
 * @param rows          sequences open at once, at least 1
 * @param capacity      positions a row can hold, at least 1
 * @param kv            element type of cached keys and values: F32, F16 or BF16
 * @param prefillChunk  prompt tokens a step feeds a row at most, at least 1
 * @param heads         what is prepared to be done with logits
 * @param logprobs      likeliest tokens the sampling head reports at most
 * @param candidates    tokens a draw chooses among, the likeliest; 0 for the whole vocabulary, which is exact
 * @param carried       combinations of optional request inputs to prepare steps for, beside none
 * @param encodeTokens  tokens of a row of an encode pass at most; 0 prepares no encode pass
 * @param entries       compiled steps at most
 * @param retainedBytes bytes held on the device beyond the mapped weights at most
 * @param limits        what one trace may use
 * @param verify        whether the compiler verifies its own work, for tests
 */
public record DriverOptions(
        int rows,
        int capacity,
        ElementType kv,
        int prefillChunk,
        Set<HeadKind> heads,
        int logprobs,
        int candidates,
        Set<Set<String>> carried,
        int encodeTokens,
        int entries,
        long retainedBytes,
        TraceLimits limits,
        boolean verify) {
    /** One row of 2048 positions, F16 cache, chunks of 512, greedy and sampling heads. */
    public static final DriverOptions DEFAULT = new DriverOptions(
            1, 2048, ElementType.F16, 512, EnumSet.of(HeadKind.GREEDY, HeadKind.SAMPLE), 20, 0, Set.of(), 512, 256,
            1L << 36, TraceLimits.DEFAULT, false);

    public DriverOptions {
        require(rows >= 1, "rows", rows);
        require(capacity >= 1, "capacity", capacity);
        require(prefillChunk >= 1, "prefillChunk", prefillChunk);
        require(logprobs >= 0, "logprobs", logprobs);
        require(candidates >= 0, "candidates", candidates);
        require(encodeTokens >= 0, "encodeTokens", encodeTokens);
        require(entries >= 1, "entries", entries);
        require(retainedBytes >= 0, "retainedBytes", retainedBytes);
        if (!kv.isFloat()) {
            throw new IllegalArgumentException("keys and values in " + kv);
        }
        Objects.requireNonNull(limits);
        heads = Collections.unmodifiableSet(heads.isEmpty() ? EnumSet.noneOf(HeadKind.class) : EnumSet.copyOf(heads));
        Set<Set<String>> copy = new LinkedHashSet<>();
        carried.forEach(c -> copy.add(Set.copyOf(c)));
        carried = Collections.unmodifiableSet(copy);
    }

    private static void require(boolean holds, String option, long value) {
        if (!holds) {
            throw new IllegalArgumentException(option + " " + value);
        }
    }

    /** These options with other rows. */
    public DriverOptions withRows(int v) {
        return new DriverOptions(v, capacity, kv, prefillChunk, heads, logprobs, candidates, carried, encodeTokens,
                entries, retainedBytes, limits, verify);
    }

    /** These options with other capacity. */
    public DriverOptions withCapacity(int v) {
        return new DriverOptions(rows, v, kv, prefillChunk, heads, logprobs, candidates, carried, encodeTokens,
                entries, retainedBytes, limits, verify);
    }

    /** These options with other kv. */
    public DriverOptions withKv(ElementType v) {
        return new DriverOptions(rows, capacity, v, prefillChunk, heads, logprobs, candidates, carried, encodeTokens,
                entries, retainedBytes, limits, verify);
    }

    /** These options with other prefillChunk. */
    public DriverOptions withPrefillChunk(int v) {
        return new DriverOptions(rows, capacity, kv, v, heads, logprobs, candidates, carried, encodeTokens,
                entries, retainedBytes, limits, verify);
    }

    /** These options with other heads. */
    public DriverOptions withHeads(Set<HeadKind> v) {
        return new DriverOptions(rows, capacity, kv, prefillChunk, v, logprobs, candidates, carried, encodeTokens,
                entries, retainedBytes, limits, verify);
    }

    /** These options with other logprobs. */
    public DriverOptions withLogprobs(int v) {
        return new DriverOptions(rows, capacity, kv, prefillChunk, heads, v, candidates, carried, encodeTokens,
                entries, retainedBytes, limits, verify);
    }

    /** These options with other candidates. */
    public DriverOptions withCandidates(int v) {
        return new DriverOptions(rows, capacity, kv, prefillChunk, heads, logprobs, v, carried, encodeTokens,
                entries, retainedBytes, limits, verify);
    }

    /** These options with other carried. */
    public DriverOptions withCarried(Set<Set<String>> v) {
        return new DriverOptions(rows, capacity, kv, prefillChunk, heads, logprobs, candidates, v, encodeTokens,
                entries, retainedBytes, limits, verify);
    }

    /** These options with other encodeTokens. */
    public DriverOptions withEncodeTokens(int v) {
        return new DriverOptions(rows, capacity, kv, prefillChunk, heads, logprobs, candidates, carried, v,
                entries, retainedBytes, limits, verify);
    }

    /** These options with other entries. */
    public DriverOptions withEntries(int v) {
        return new DriverOptions(rows, capacity, kv, prefillChunk, heads, logprobs, candidates, carried, encodeTokens,
                v, retainedBytes, limits, verify);
    }

    /** These options with other retainedBytes. */
    public DriverOptions withRetainedBytes(long v) {
        return new DriverOptions(rows, capacity, kv, prefillChunk, heads, logprobs, candidates, carried, encodeTokens,
                entries, v, limits, verify);
    }

    /** These options with other limits. */
    public DriverOptions withLimits(TraceLimits v) {
        return new DriverOptions(rows, capacity, kv, prefillChunk, heads, logprobs, candidates, carried, encodeTokens,
                entries, retainedBytes, v, verify);
    }

    /** These options with other verify. */
    public DriverOptions withVerify(boolean v) {
        return new DriverOptions(rows, capacity, kv, prefillChunk, heads, logprobs, candidates, carried, encodeTokens,
                entries, retainedBytes, limits, v);
    }
}
