package poot.core.engine;

import java.util.Objects;

/**
 * How an engine serves.
 *
 * <p>A step takes every row that decodes, one token each, then prompt tokens. What a prompt adds to a step is what the
 * streams beside it wait for, so while any row decodes a step takes {@code sharedTokens} prompt tokens at most, however
 * long the prompt; while none does, {@code stepTokens}, for there weights are read once for more tokens.
 *
 * @param running      rows running at once at most; 0 for every row of the driver
 * @param waiting      requests that may wait for a row, at least 1; the next is refused
 * @param stepTokens   tokens a step takes at most, rows that decode counted; at least 8
 * @param sharedTokens prompt tokens of a step in which rows decode, at most; at least 8
 * @param encodeRows   rows of encode requests that may wait, at least 1
 * @param deadlines    of a request submitted without its own
 */
public record EngineOptions(int running, int waiting, int stepTokens, int sharedTokens, int encodeRows, Deadlines deadlines) {
    /** Every row, 256 waiting, steps of 512 tokens, 128 beside streams, 4096 rows to encode, no deadline. */
    public static final EngineOptions DEFAULT = new EngineOptions(0, 256, 512, 128, 4096, Deadlines.NONE);

    public EngineOptions {
        require(running >= 0, "running", running);
        require(waiting >= 1, "waiting", waiting);
        require(stepTokens >= 8, "stepTokens", stepTokens);
        require(sharedTokens >= 8, "sharedTokens", sharedTokens);
        require(encodeRows >= 1, "encodeRows", encodeRows);
        Objects.requireNonNull(deadlines);
    }

    private static void require(boolean holds, String option, int value) {
        if (!holds) {
            throw new IllegalArgumentException(option + " " + value);
        }
    }

    /** With that many rows running at most; 0 for every row of the driver. */
    public EngineOptions withRunning(int rows) {
        return new EngineOptions(rows, waiting, stepTokens, sharedTokens, encodeRows, deadlines);
    }

    /** With that many requests waiting at most. */
    public EngineOptions withWaiting(int requests) {
        return new EngineOptions(running, requests, stepTokens, sharedTokens, encodeRows, deadlines);
    }

    /** With steps of that many tokens at most. */
    public EngineOptions withStepTokens(int tokens) {
        return new EngineOptions(running, waiting, tokens, sharedTokens, encodeRows, deadlines);
    }

    /** With that many prompt tokens beside rows that decode at most. */
    public EngineOptions withSharedTokens(int tokens) {
        return new EngineOptions(running, waiting, stepTokens, tokens, encodeRows, deadlines);
    }

    /** With that many rows waiting to be encoded at most. */
    public EngineOptions withEncodeRows(int rows) {
        return new EngineOptions(running, waiting, stepTokens, sharedTokens, rows, deadlines);
    }

    /** With these deadlines for requests that bring none. */
    public EngineOptions withDeadlines(Deadlines d) {
        return new EngineOptions(running, waiting, stepTokens, sharedTokens, encodeRows, d);
    }
}
