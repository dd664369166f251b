package poot.core.kernel.ir;

import java.util.Locale;
import java.util.Objects;

/**
 * A 16 x 16 matrix spread over the threads of a subgroup, how being the device's affair.
 * A is [m, k], B is [k, n], an accumulator is [m, n]; m = n = k = 16.
 *
 * @param use the place it has in {@code accumulator + A * B}
 * @param element F16, BF16 or I8 of A and B; F32 (for F16 and BF16) or I32 (for I8) of an accumulator
 */
public record Fragment(Use use, MemoryType element) implements RegisterType {
    /** Rows and columns of every fragment. */
    public static final int SIZE = 16;

    /** A fragment's place in {@code accumulator + A * B}. */
    public enum Use { A, B, ACCUMULATOR }

    public Fragment {
        Objects.requireNonNull(use, "use");
        boolean fits = switch (element) {
            case F16, BF16, I8 -> use != Use.ACCUMULATOR;
            case F32, I32 -> use == Use.ACCUMULATOR;
            case U8, U16, I16, U32 -> false;
        };
        if (!fits) {
            throw new InvalidKernelException("a fragment " + use + " of " + element, "use f16, bf16 or i8 for A and B, f32 or i32 for accumulators");
        }
    }

    /** What a device must have to multiply such fragments; of an accumulator of F32, {@link Capability#MATRIX_F16}. */
    public Capability needs() {
        return switch (element) {
            case I8, I32 -> Capability.MATRIX_I8;
            case BF16 -> Capability.MATRIX_BF16;
            default -> Capability.MATRIX_F16;
        };
    }

    @Override
    public String toString() {
        return "fragment." + use.name().toLowerCase(Locale.ROOT) + "." + element;
    }
}
