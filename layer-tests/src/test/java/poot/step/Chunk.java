package poot.step;

import java.util.Arrays;

/** The next tokens of one sequence in a step, the first of them at position {@code start}. */
public record Chunk(int sequence, int start, int... tokens) {
    /** Tokens {@code from} (inclusive) to {@code to} (exclusive) of a sequence that begins at position 0. */
    public static Chunk of(int sequence, int[] all, int from, int to) {
        return new Chunk(sequence, from, Arrays.copyOfRange(all, from, to));
    }
}
