package poot.backend.cpu.x86.weight;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.UnaryOperator;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Scales;
import poot.api.graph.Weight;

/**
 * The code that reads a weight, and where the weight's parts lie for it. A part holds all that is read of it: this was
 * checked against the part's size.
 *
 * @param key     equal for all weights that the same code reads
 * @param rows    the code
 * @param stride  bytes from a row of codes to the next
 * @param codes   the first part
 * @param scales  the scales
 * @param sharing steps that share scales
 * @param made    how rows are made that are not stored: all that is above is then said of what is made of the weight's rows alone
 * @param order   how the rows of a vector are interleaved, if they are; a read then begins at a multiple of their number
 */
public record Placement(Object key, StoredRows rows, long stride, Part codes, Part scales, long sharing, Optional<Regrouping> made,
        Optional<Interleaving> order) {
    private static final Part NONE = new Part(0, 0, 0, 1, 0, 0);
    private static final int GROUP = 32;
    /** Rows or inputs of a word. */
    private static final int WORD = 8;
    /** The part of an order of columns. */
    private static final int ORDER = 3;
    /** Groups of a step of formats of several parts, at most. */
    private static final int MOST = 4;

    /**
     * What belongs to rows in one part.
     *
     * @param index which of the weight's parts
     * @param first the byte at which that of row 0 of the matrix begins
     * @param row   the row of the matrix that the weight's first is
     * @param each  rows that share it
     * @param bits  from one to the next
     * @param step  bytes to what belongs to them further along k
     */
    public record Part(int index, long first, long row, long each, long bits, long step) {
        /** The byte at which that of a row of the weight begins. */
        public long at(long of) {
            return first + (row + of) / each * bits / 8;
        }
    }

    /** The same of rows that are interleaved. */
    public Placement interleaved(Interleaving how) {
        return new Placement(new Interleaved(key), rows, stride, codes, scales, sharing, made, Optional.of(how));
    }

    private record Interleaved(Object key) {}

    /** The same, with what {@code one} gives for the order of the inputs, which is equal. */
    public Placement withOrder(UnaryOperator<InputOrder> one) {
        return new Placement(key, rows, stride, codes, scales, sharing, made.map(m -> m.withOrder(one)), order);
    }

    /** Rows from {@code row} on that may be read by one call. */
    public int together(long row) {
        return scales.each == 1 ? Integer.MAX_VALUE : (int) (scales.each - (scales.row + row) % scales.each);
    }

    /** Whether the parts beside the codes are found by the first row that counts, not by the row of the first lane. */
    public boolean byRange() {
        return scales.each > 1;
    }

    /**
     * The placement of a weight of one matrix, if there is code for its format and extents.
     *
     * @param lanes rows of a vector
     */
    public static Optional<Placement> of(Weight w, int lanes) {
        int rank = w.shape().rank();
        if (rank < 2 || w.stored().rank() < 2 || w.firstColumn() != 0 || w.shape().dim(-1) != w.columns() || w.columns() == 0
                || w.shape().dim(-2) < lanes || !w.parts().stream().allMatch(p -> isTogether(p, w.parts().getFirst()))) {
            return Optional.empty();
        }
        Encoding e = w.format().encoding();
        Optional<Scales> scales = w.format().scales(w.parts(), w.stored());
        Matrix m = new Matrix(w, lanes);
        Optional<Placement> placed = switch (e) {
            case MXFP4_PAIRS -> m.pairs();
            case GPTQ_4, AWQ_4 -> scales.flatMap(s -> m.columns(s, e == Encoding.GPTQ_4));
            case FP8_CHANNEL, FP8_BLOCK -> scales.flatMap(m::eightBits);
            default -> StoredRows.of(e).flatMap(m::whole);
        };
        return placed.filter(p -> w.columns() % p.rows.layout().step() == 0);
    }

    /** A call keeps one part from being released, and with it those of the same scope. */
    private static boolean isTogether(MemorySegment part, MemorySegment first) {
        return part.isNative() && part.scope().equals(first.scope());
    }

    /** One matrix of a stored weight. */
    private static final class Matrix {
        private final Weight weight;
        private final int lanes;
        private final long columns;
        /** Rows of a stored matrix, the matrices, which of them this is, and the row in it that is the weight's first. */
        private final long rows;
        private final long matrices;
        private final long index;
        private final long first;

        Matrix(Weight w, int lanes) {
            this.weight = w;
            this.lanes = lanes;
            this.columns = w.columns();
            this.rows = w.stored().dim(-2);
            this.matrices = w.stored().count() / Math.max(1, rows * columns);
            this.index = w.firstRow() / Math.max(1, rows);
            this.first = w.firstRow() % Math.max(1, rows);
        }

        private boolean holds(int part, long bytes) {
            return weight.parts().get(part).byteSize() >= bytes;
        }

        /** Whether the weight lies in one matrix and {@code parts} have a number of bytes each. */
        private boolean fits(long... bytes) {
            boolean fits = weight.parts().size() >= bytes.length && index < matrices && first + weight.shape().dim(-2) <= rows;
            for (int i = 0; i < bytes.length && fits; i++) {
                fits = holds(i, bytes[i]);
            }
            return fits;
        }

        Optional<Placement> whole(StoredRows stored) {
            long rowBytes = columns / stored.layout().step() * stored.stepBytes();
            Part codes = new Part(0, 0, weight.firstRow(), 1, 8 * rowBytes, 0);
            Placement p = new Placement(
                    weight.format().encoding(), stored, rowBytes, codes, NONE, 1, Optional.empty(), Optional.empty());
            return Optional.of(p).filter(x -> holds(0, (weight.firstRow() + weight.shape().dim(-2)) * rowBytes));
        }

        Optional<Placement> pairs() {
            int groups = groups(columns) == 3 ? 1 : groups(columns);
            long all = matrices * rows;
            if (groups == 0 || !fits(all * columns / 2, all * columns / GROUP)) {
                return Optional.empty();
            }
            StoredRows stored = new PairedRows(groups);
            Part codes = new Part(0, 0, weight.firstRow(), 1, 4 * columns, 0);
            Part scales = new Part(1, 0, weight.firstRow(), 1, columns / (GROUP / 8), columns / GROUP);
            return Optional.of(new Placement(stored, stored, columns / 2, codes, scales, 1, Optional.empty(), Optional.empty()));
        }

        /** Whole groups of a step: the most that divide {@code k} elements. */
        private static int groups(long k) {
            for (int groups = MOST; groups > 0; groups--) {
                if (k % (GROUP * groups) == 0) {
                    return groups;
                }
            }
            return 0;
        }

        Optional<Placement> columns(Scales s, boolean eightDown) {
            long shared = s.columns() == Scales.ALL ? columns : s.columns();
            int groups = Math.min(MOST, groups(shared));
            while (groups > 0 && (shared % (GROUP * groups) != 0 || columns % (GROUP * groups) != 0)) {
                groups--;
            }
            long down = Math.ceilDiv(columns, shared);
            int bytes = s.element().bytes();
            boolean whole = s.rows() == 1 && rows % WORD == 0 && first % WORD == 0 && weight.shape().dim(-2) % WORD == 0 && groups > 0;
            if (!whole || !fits(matrices * columns * rows / 2, matrices * down * rows / 2, matrices * down * rows * bytes)) {
                return Optional.empty();
            }
            Optional<InputOrder> order = s.ordered() ? order(shared) : Optional.empty();
            if (s.ordered() && order.isEmpty()) {
                return Optional.empty();
            }
            Regrouping made = new Regrouping(eightDown, index * columns * rows / 2, index * down * rows / 2,
                    index * down * rows * bytes, rows, first, weight.shape().dim(-2), (int) columns, shared, s.zero(), groups,
                    s.element(), order.filter(o -> !o.isNatural()));
            StoredRows stored = made.form();
            Part codes = new Part(0, 0, 0, 1, 8 * made.rowBytes(), 0);
            return Optional.of(new Placement(
                    stored, stored, made.rowBytes(), codes, NONE, 1, Optional.of(made), Optional.empty()));
        }

        /** The order of the columns by their groups, if these are whole. */
        private Optional<InputOrder> order(long shared) {
            long from = 4 * index * columns;
            return weight.parts().size() == ORDER + 1 && holds(ORDER, from + 4 * columns)
                    ? InputOrder.of(weight.parts().get(ORDER), from, (int) columns, shared)
                    : Optional.empty();
        }

        Optional<Placement> eightBits(Scales s) {
            long across = s.columns() == Scales.ALL ? 1 : Math.ceilDiv(columns, (long) s.columns());
            long each = s.rows() == Scales.ALL ? rows : s.rows();
            boolean spread = s.rows() > 1;
            boolean one = s.rows() == Scales.ALL;
            long down = one ? 1 : matrices * Math.ceilDiv(rows, each);
            int bytes = s.element().bytes();
            boolean apart = (spread || across == 1) && (!spread || one || each % lanes == 0 && first % lanes == 0)
                    && (across == 1 || s.columns() % EightBitRows.STEP == 0);
            if (!apart || !fits(matrices * rows * columns, down * across * bytes) || !isSmall(s.element(), down * across)) {
                return Optional.empty();
            }
            StoredRows stored = new EightBitRows(s.element(), !spread);
            Part codes = new Part(0, 0, weight.firstRow(), 1, 8 * columns, 0);
            long above = one ? 0 : index * Math.ceilDiv(rows, each) * across * bytes;
            Part scales = new Part(1, above, first, each, one ? 0 : 8L * across * bytes, bytes);
            long sharing = across == 1 ? columns / EightBitRows.STEP : s.columns() / EightBitRows.STEP;
            return Optional.of(new Placement(
                    stored, stored, columns, codes, scales, Math.max(1, sharing), Optional.empty(), Optional.empty()));
        }

        private boolean isSmall(ElementType element, long count) {
            MemorySegment scales = weight.parts().get(1);
            for (long i = 0; i < count; i++) {
                if (Math.abs(scale(element, scales, i)) >= EightBitRows.LIMIT) {
                    return false;
                }
            }
            return true;
        }

        private static float scale(ElementType element, MemorySegment scales, long i) {
            return switch (element) {
                case F32 -> scales.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * i);
                case F16 -> Float.float16ToFloat(scales.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i));
                case BF16 -> Float.intBitsToFloat(scales.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i) << 16);
                case I32, U32, BOOL, PACKED -> throw new IllegalArgumentException("scales of type " + element);
            };
        }
    }
}
