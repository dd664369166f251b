package poot.backend.cpu.x86.weight;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * The order of a weight's bytes in which code reads the rows of a vector together: of each step of {@code lanes} rows every
 * number, that is what code reads as one, stands beside the same number of the other rows, and numbers follow one another as
 * they are read. A vector then takes something of each row in one read, and memory is read from end to end. The bytes are
 * those that were stored, and as many.
 *
 * @param lanes     rows of a vector
 * @param stepBytes bytes of a step of one row
 * @param numbers   the numbers of a step in order; they divide it
 */
public record Interleaving(int lanes, int stepBytes, List<Number> numbers) {
    private static final ValueLayout.OfInt DWORD = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfShort WORD = ValueLayout.JAVA_SHORT_UNALIGNED;

    /**
     * {@code count} numbers of {@code bytes} bytes from byte {@code at} of a step on: 1, 2, 4 or a line of them.
     *
     * @param to bytes of a row's step that stand before them
     */
    public record Number(int at, int bytes, int count, int to) {
        private int end() {
            return at + bytes * count;
        }
    }

    public Interleaving {
        numbers = List.copyOf(numbers);
    }

    /** The order in which {@code stored} is read, if it reads each byte of a step once and as part of one number. */
    public static Optional<Interleaving> of(Simd simd, StoredRows stored) {
        if (!stored.interleaves()) {
            return Optional.empty();
        }
        Rows rows = new Rows(new Simd.Code(simd), Optional.empty());
        rows.reads().mustDivide();
        stored.begin(rows, Register.RSI);
        stored.step(rows, new Nothing());
        if (!rows.reads().divide(stored.stepBytes())) {
            return Optional.empty();
        }
        List<Number> numbers = new ArrayList<>();
        int to = 0;
        for (Map.Entry<Integer, Integer> e : rows.reads().units().entrySet()) {
            int at = e.getKey();
            int bytes = e.getValue();
            Number last = numbers.isEmpty() ? null : numbers.getLast();
            if (last != null && last.bytes() == bytes && last.end() == at) {
                numbers.set(numbers.size() - 1, new Number(last.at(), bytes, last.count() + 1, last.to()));
            } else {
                numbers.add(new Number(at, bytes, 1, to));
            }
            to += bytes;
        }
        return Optional.of(new Interleaving(simd.lanes(), stored.stepBytes(), numbers));
    }

    /** Where number {@code at} of a step stands in the step of all rows, in bytes. */
    int place(int at) {
        for (Number n : numbers) {
            if (at >= n.at() && at < n.end()) {
                return lanes * (n.to() + at - n.at());
            }
        }
        throw new IllegalArgumentException("byte " + at + " of " + stepBytes);
    }

    /** Takes what is decoded, and leaves no code for it. */
    private static final class Nothing implements Sink {
        @Override
        public void begin(int group) {}

        @Override
        public void unit(int group, int unit, int weights) {}

        @Override
        public void end(int group, int scales, int minimums) {}
    }

    /**
     * Writes a group of rows in this order.
     *
     * @param from  the rows as stored
     * @param at    where the first of them begins
     * @param bytes bytes of a row
     * @param to    where {@code lanes · bytes} bytes are written
     * @param first the first of these
     */
    public void write(MemorySegment from, long at, long bytes, MemorySegment to, long first) {
        for (long step = 0; step < bytes; step += stepBytes) {
            for (Number n : numbers) {
                long source = at + step + n.at();
                long target = first + lanes * (step + n.to());
                switch (n.bytes()) {
                    case 4 -> dwords(from, source, bytes, to, target, n.count());
                    case 2 -> words(from, source, bytes, to, target, n.count());
                    case 1 -> bytes(from, source, bytes, to, target, n.count());
                    default -> lines(from, source, bytes, to, target, n);
                }
            }
        }
    }

    private void dwords(MemorySegment from, long at, long bytes, MemorySegment to, long first, int count) {
        for (int lane = 0; lane < lanes; lane++) {
            long source = at + lane * bytes;
            long target = first + 4L * lane;
            for (int i = 0; i < count; i++) {
                to.set(DWORD, target + 4L * lanes * i, from.get(DWORD, source + 4L * i));
            }
        }
    }

    private void words(MemorySegment from, long at, long bytes, MemorySegment to, long first, int count) {
        for (int i = 0; i < count; i++) {
            for (int lane = 0; lane < lanes; lane++) {
                to.set(WORD, first + 2L * (lanes * i + lane), from.get(WORD, at + lane * bytes + 2L * i));
            }
        }
    }

    private void bytes(MemorySegment from, long at, long bytes, MemorySegment to, long first, int count) {
        for (int i = 0; i < count; i++) {
            for (int lane = 0; lane < lanes; lane++) {
                to.set(ValueLayout.JAVA_BYTE, first + (long) lanes * i + lane, from.get(ValueLayout.JAVA_BYTE, at + lane * bytes + i));
            }
        }
    }

    private void lines(MemorySegment from, long at, long bytes, MemorySegment to, long first, Number n) {
        for (int i = 0; i < n.count(); i++) {
            for (int lane = 0; lane < lanes; lane++) {
                long target = first + (long) n.bytes() * (lanes * i + lane);
                MemorySegment.copy(from, at + lane * bytes + (long) n.bytes() * i, to, target, n.bytes());
            }
        }
    }
}
