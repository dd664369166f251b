package poot.backend.cpu.x86.weight;

import java.util.Optional;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Register;

/**
 * Where as many rows as a vector has lanes are read. Registers: RAX, RBX, RBP, R12 hold every fourth row, R10 and R11 one and
 * three strides. Of {@linkplain Interleaving interleaved} rows one read takes the same of each, and RAX alone goes along.
 */
public final class RowPointers {
    private static final Register[] BASES = {Register.RAX, Register.RBX, Register.RBP, Register.R12};
    /** One stride. */
    public static final Register STRIDE = Register.R10;
    /** Three. */
    public static final Register STRIDES3 = Register.R11;

    private final Assembler to;
    private final int lanes;
    private final Optional<Interleaving> order;

    RowPointers(Assembler to, int lanes, Optional<Interleaving> order) {
        this.to = to;
        this.lanes = lanes;
        this.order = order;
    }

    /** Whether the rows are interleaved: then they are read {@linkplain #together}, else each {@linkplain #row by itself}. */
    boolean interleaved() {
        return order.isPresent();
    }

    /** Points at the rows from {@code first} on. */
    void point(Register first) {
        to.mov(BASES[0], first);
        for (int i = 1; i < lanes / 4 && !interleaved(); i++) {
            to.lea(BASES[i], At.of(BASES[i - 1], STRIDE, 4, 0));
        }
    }

    /** What begins at byte {@code at} of a step, of the first row, and then of the others. */
    At together(int at) {
        return At.of(BASES[0], order.orElseThrow().place(at));
    }

    /** Byte {@code at} of a row. */
    At row(int row, int at) {
        Register base = BASES[row / 4];
        return switch (row % 4) {
            case 0 -> At.of(base, at);
            case 1 -> At.of(base, STRIDE, 1, at);
            case 2 -> At.of(base, STRIDE, 2, at);
            default -> At.of(base, STRIDES3, 1, at);
        };
    }

    /** {@code first} goes on by as many rows as there are lanes. */
    void next(Register first) {
        for (int i = 0; i < lanes; i += 8) {
            to.lea(first, At.of(first, STRIDE, 8, 0));
        }
    }

    /** Goes on by {@code bytes} in every row. */
    void advance(int bytes) {
        if (interleaved()) {
            to.add(BASES[0], lanes * bytes);
            return;
        }
        for (int i = 0; i < lanes / 4; i++) {
            to.add(BASES[i], bytes);
        }
    }
}
