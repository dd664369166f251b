package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * Copies pieces that lie far apart to one after another, where a cache keeps all of them, and asks for the pieces that are
 * wanted next.
 *
 * <p>Arguments: -, the first piece, where it goes, pieces, bytes from one to the next, bytes to what is asked for.
 */
public final class Gathering {
    private static final int LINE = 64;
    private static final Register FROM = Register.RSI;
    private static final Register TO = Register.RDX;
    private static final Register COUNT = Register.RCX;
    private static final Register STRIDE = Register.R8;
    private static final Register AHEAD = Register.R9;

    private Gathering() {}

    /** The code for pieces of {@code bytes}, a multiple of 64. */
    public static byte[] of(Simd simd, int bytes) {
        Assembler to = new Assembler();
        Label piece = to.here();
        for (int at = 0; at < bytes; at += LINE) {
            to.prefetch(At.of(FROM, AHEAD, 1, at));
        }
        for (int at = 0; at < bytes; at += simd.width()) {
            to.op(VMOVUPS, simd.width(), 0, Assembler.NONE, At.of(FROM, at));
            to.op(VMOVUPS_STORE, simd.width(), 0, Assembler.NONE, At.of(TO, at));
        }
        to.add(FROM, STRIDE);
        to.add(TO, bytes);
        to.dec(COUNT);
        to.jnz(piece);
        to.vzeroupper();
        to.ret();
        return to.bytes();
    }
}
