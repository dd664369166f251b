package poot.core.kernel.generate.product;

import java.util.List;
import java.util.Optional;
import poot.core.kernel.ir.AtomicOp;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * Powers of two that bring the largest element of a row of an operand into [2^14, 2^15), from the largest magnitudes, which
 * are looked for first. Rows of all operands are counted one after the other. Scaling by a power of two rounds nothing
 * but what becomes too small for F32.
 *
 * @param largest the bits of the largest magnitude of each row; absent where nothing is scaled
 */
record RowScales(Optional<SharedArray> largest) {
    /** Of nothing. */
    static final RowScales NONE = new RowScales(Optional.empty());

    /** The bits of a magnitude are ordered as magnitudes are. */
    private static final int MAGNITUDE = 0x7fffffff;
    private static final int FRACTION_BITS = 23;
    /** What the exponent of the largest becomes. */
    private static final int LARGEST = 14;
    /** Of an exponent, as F32 holds it, the least whose scale is a number and whose inverse is none too small. */
    private static final int LEAST = LARGEST + 1;
    private static final int BIAS = 127;

    /** Declares the shared memory for a tile of an operand and of so many others. */
    static RowScales declare(KernelBuilder b, Tile tile, int products) {
        return new RowScales(Optional.of(b.shared("largest", MemoryType.U32, tile.rows() + products * tile.columns())));
    }

    /** Whether rows are scaled. */
    boolean isPresent() {
        return largest.isPresent();
    }

    /** Begins to look. */
    void clear(KernelBuilder b) {
        SharedArray a = largest.orElseThrow();
        b.loop(b.thread(), b.u32(a.length()), b.workgroupSize(), i -> b.store(a, i, b.u32(0)));
    }

    /** Looks at some elements of a row. */
    void measure(KernelBuilder b, Reg row, List<Reg> values) {
        Reg most = b.u32(0);
        for (Reg v : values) {
            most = b.max(most, b.and(b.bits(v), MAGNITUDE));
        }
        b.atomic(AtomicOp.MAX, MemoryBuilder.at(largest.orElseThrow(), row), most);
    }

    /** Elements of a row, scaled. */
    List<Reg> scaled(KernelBuilder b, Reg row, List<Reg> values) {
        if (largest.isEmpty()) {
            return values;
        }
        Reg scale = power(b, b.sub(b.u32(2 * BIAS + LARGEST), exponent(b, row)));
        return values.stream().map(v -> b.mul(v, scale)).toList();
    }

    /** A sum of products of a row's elements as it is without the scale. */
    Reg unscaled(KernelBuilder b, Reg row, Reg sum) {
        return largest.isEmpty() ? sum : b.mul(sum, power(b, b.sub(exponent(b, row), LARGEST)));
    }

    private Reg exponent(KernelBuilder b, Reg row) {
        return b.max(b.shr(b.load(largest.orElseThrow(), row), FRACTION_BITS), b.u32(LEAST));
    }

    private static Reg power(KernelBuilder b, Reg exponent) {
        return b.fromBits(b.shl(exponent, FRACTION_BITS));
    }
}
