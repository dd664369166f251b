package poot.backend.cpu.x86;

import java.util.Objects;

/** A memory operand. */
public sealed interface At {
    /** base + displacement. */
    static At of(Register base, int displacement) {
        return new Based(base, null, 1, displacement);
    }

    /** base + index · scale + displacement. */
    static At of(Register base, Register index, int scale, int displacement) {
        return new Based(base, Objects.requireNonNull(index), scale, displacement);
    }

    /** Bytes of the code itself. */
    static At of(Label label) {
        return new Inline(label);
    }

    /** An address made of registers; {@code index} is null where there is none. */
    record Based(Register base, Register index, int scale, int displacement) implements At {
        public Based {
            if (index == Register.RSP || Integer.bitCount(scale) != 1 || scale < 1 || scale > 8) {
                throw new IllegalArgumentException("no address " + base + " + " + index + " * " + scale);
            }
        }
    }

    /** An address relative to the instruction. */
    record Inline(Label label) implements At {}
}
