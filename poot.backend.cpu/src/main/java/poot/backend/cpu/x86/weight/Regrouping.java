package poot.backend.cpu.x86.weight;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import poot.api.graph.ElementType;

/**
 * How weights whose rows lie side by side (GPTQ, AWQ) become interleaved rows of {@link ZeroPointRows}. There a read would take
 * something of every lane's row, but the lines of a row lie a power of two apart, where caches keep few of them; and of AWQ a
 * line holds eight bytes for a vector's rows. What is written is what was stored, and a zero point beside its scale: codes as they
 * are, in the order of the inputs or of their groups.
 *
 * @param eightDown whether a word holds eight inputs of a row; else an input of eight rows, the even rows first
 * @param codes     the byte of the first part at which those of the matrix begin
 * @param zeros     likewise of the second part, a line for each group of inputs
 * @param scales    likewise of the third
 * @param rows      rows of the matrix; a multiple of eight, and so are the next two
 * @param first     the first row that is written
 * @param count     rows that are written
 * @param inputs    elements of a row
 * @param shared    elements that share a scale
 * @param more      what is added to each stored zero point
 * @param groups    groups of 32 elements, of a step
 * @param scale     how the scales are stored
 * @param order     the order of the inputs, where it is not that in which they are stored
 */
public record Regrouping(boolean eightDown, long codes, long zeros, long scales, long rows, long first, int count, int inputs,
        long shared, int more, int groups, ElementType scale, Optional<InputOrder> order) {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final int EIGHT = ZeroPointRows.WORD;

    /** The rows that are written. */
    ZeroPointRows form() {
        return new ZeroPointRows(groups, scale);
    }

    /** The same, with what {@code one} gives for its order, which is equal. */
    Regrouping withOrder(UnaryOperator<InputOrder> one) {
        return new Regrouping(eightDown, codes, zeros, scales, rows, first, count, inputs, shared, more, groups, scale, order.map(one));
    }

    private int stepInputs() {
        return ZeroPointRows.GROUP * groups;
    }

    /** Bytes of a row as written. */
    public long rowBytes() {
        return (long) inputs / stepInputs() * form().stepBytes();
    }

    /** The code that writes a step of a whole group. */
    public MadeStep madeStep() {
        return new MadeStep(eightDown, groups, scale, more, order, order.isPresent() ? lineBytes() : 0);
    }

    /** What that code takes first: bytes from a line of codes to the next, or with an {@link #order} those before a step's places. */
    public long linesOf(int step) {
        return order.isPresent() ? (long) MadeStep.PLACE_BYTES * step * stepInputs() : lineBytes();
    }

    /** Steps {@code from} to {@code end} of a row. */
    public record Steps(int from, int end) {
        /** How many. */
        public int count() {
            return end - from;
        }
    }

    /** All steps of a row. */
    public Steps steps() {
        return new Steps(0, inputs / stepInputs());
    }

    /** Bytes of a step of {@code lanes} rows as written. */
    public long stepBytes(int lanes) {
        return (long) form().stepBytes() * lanes;
    }

    /** Bytes from a line of codes to the next. */
    public long lineBytes() {
        return codeBytes(rows);
    }

    /** Bytes of a line before the codes of a row. */
    public long codeBytes(long row) {
        return eightDown ? 4 * row : row / 2;
    }

    /** The byte of the first part at which the first line of a step begins; with an {@link #order} the first of all. */
    public long codesAt(int step) {
        int input = order.isPresent() ? 0 : step * stepInputs();
        return codes + (eightDown ? input / EIGHT : input) * lineBytes();
    }

    /** The byte of the second part at which the zero points of a step begin. */
    public long zerosAt(int step) {
        return zeros + scaleRow(step) * (rows / 2);
    }

    /** The byte of the third part at which the scales of a step begin. */
    public long scalesAt(int step) {
        return scales + scaleRow(step) * rows * scale.bytes();
    }

    private long scaleRow(int step) {
        return (long) step * stepInputs() / shared;
    }

    /** Groups of {@code lanes} rows, of which the last may not have all. */
    public int groups(int lanes) {
        return Math.ceilDiv(count, lanes);
    }

    /**
     * Writes groups of rows; where rows are missing, zeros stay.
     *
     * @param parts the weight's
     * @param from  the first group
     * @param end   the one after the last
     * @param steps which of their steps
     * @param to    where {@code stepBytes(lanes)} bytes are written for each step of each group
     * @param at    the first of these
     */
    public void write(List<MemorySegment> parts, int from, int end, Steps steps, int lanes, MemorySegment to, long at) {
        int inputsOf = stepInputs();
        int head = form().headBytes() * lanes;
        int[] words = new int[Math.max(lanes, EIGHT)];
        for (int step = steps.from(); step < steps.end(); step++) {
            for (int group = from; group < end; group++) {
                long row = first + (long) group * lanes;
                int some = Math.min(lanes, count - group * lanes);
                long target = at + ((long) (group - from) * steps.count() + step - steps.from()) * stepBytes(lanes);
                head(parts, row, some, step, to, target, lanes);
                for (int i = 0; i < inputsOf; i += EIGHT) {
                    words(parts.getFirst(), row, some, step * inputsOf + i, words, to, target + head + (long) i / EIGHT * 4 * lanes);
                }
            }
        }
    }

    /** The scales and zero points of a step. */
    private void head(List<MemorySegment> parts, long row, int some, int step, MemorySegment to, long at, int lanes) {
        for (int lane = 0; lane < some; lane++) {
            long of = row + lane;
            int nibble = parts.get(1).get(INT, zerosAt(step) + of / EIGHT * 4) >>> 4 * nibble((int) (of % EIGHT)) & 15;
            int offset = ZeroPointRows.OFFSET - nibble - more;
            long stored = scalesAt(step) + of * scale.bytes();
            if (scale == ElementType.F32) {
                to.set(INT, at + 4L * lane, parts.get(2).get(INT, stored));
                to.set(INT, at + 4L * (lanes + lane), offset);
            } else {
                to.set(INT, at + 4L * lane, parts.get(2).get(SHORT, stored) & 0xFFFF | offset << 16);
            }
        }
    }

    /** Where the nibble of one of eight rows stands. */
    private int nibble(int row) {
        return eightDown ? row : acrossNibble(row);
    }

    /** The same where the even rows come first. */
    static int acrossNibble(int row) {
        return row / 2 + row % 2 * 4;
    }

    /** Of {@code some} rows eight inputs each. */
    private void words(MemorySegment from, long row, int some, int input, int[] words, MemorySegment to, long at) {
        if (order.isPresent()) {
            ordered(from, row, some, input, words);
        } else if (eightDown) {
            long source = codes + input / EIGHT * lineBytes() + codeBytes(row);
            for (long i = 0; i < 4L * some; i += 8) {
                to.set(LONG, at + i, from.get(LONG, source + i));
            }
            return;
        } else {
            for (int i = 0; i < some; i += EIGHT) {
                across(from, codes + input * lineBytes() + codeBytes(row + i), words);
                for (int j = 0; j < EIGHT; j++) {
                    to.set(INT, at + 4L * (i + j), words[nibble(j)]);
                }
            }
            return;
        }
        for (int i = 0; i < some; i++) {
            to.set(INT, at + 4L * i, words[i]);
        }
    }

    /** Of words of eight inputs those that {@link #order} wants. */
    private void ordered(MemorySegment from, long row, int some, int input, int[] words) {
        InputOrder inputsBy = order.orElseThrow();
        for (int i = 0; i < EIGHT; i++) {
            int of = inputsBy.at(input + i);
            long source = codes + of / EIGHT * lineBytes() + codeBytes(row);
            int shift = 4 * (of % EIGHT);
            for (int lane = 0; lane < some; lane++) {
                int nibble = from.get(INT, source + 4L * lane) >>> shift & 15;
                words[lane] = (i == 0 ? 0 : words[lane]) | nibble << 4 * i;
            }
        }
    }

    /** words[p] = nibble p of each of eight words that stand under one another from {@code at} on, the uppermost's lowest. */
    private void across(MemorySegment from, long at, int[] words) {
        for (int i = 0; i < EIGHT; i++) {
            words[i] = from.get(INT, at + i * lineBytes());
        }
        exchange(words, 1, 0x0F0F0F0F);
        exchange(words, 2, 0x00FF00FF);
        exchange(words, 4, 0x0000FFFF);
    }

    /** Of each two words {@code apart} the fields above those of {@code lower} in the first change places with those in the second. */
    private static void exchange(int[] words, int apart, int lower) {
        for (int i = 0; i < EIGHT; i++) {
            if ((i & apart) == 0) {
                int moved = (words[i] >>> 4 * apart ^ words[i + apart]) & lower;
                words[i + apart] ^= moved;
                words[i] ^= moved << 4 * apart;
            }
        }
    }
}
