package poot.backend.cpu.x86.weight;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Register;

/** Asks for memory that is read later, a little with each read: many requests at once would hold up the reads behind them. */
final class Ahead {
    private static final int LINE = 64;

    private final Assembler to;
    private Register from = Register.R15;
    private int asked;
    private int bytes;

    Ahead(Assembler to) {
        this.to = to;
    }

    /** From now on the {@code count} bytes at {@code register} are asked for. */
    void begin(Register register, int count) {
        from = register;
        asked = 0;
        bytes = count;
    }

    /** Writes requests for the next {@code count} bytes of them. */
    void ask(int count) {
        int end = Math.min(bytes, asked + count);
        for (; asked < end; asked += LINE) {
            to.prefetch(At.of(from, asked));
        }
    }

    /** Writes requests for the rest; the register goes on behind them. */
    void end() {
        if (bytes > 0) {
            ask(bytes);
            to.add(from, bytes);
        }
    }
}
