package poot.backend.cpu.emit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import poot.backend.cpu.ffi.CodeRefused;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/** What the processor and the system offer, as {@code cpuid} and {@code xgetbv} tell. */
final class Features {
    private static final int FMA = 12;
    private static final int OSXSAVE = 27;
    private static final int F16C = 29;
    private static final int AVX2 = 5;
    private static final int AVX512F = 16;
    private static final int AVX512DQ = 17;
    private static final int AVX512BW = 30;
    private static final int AVX512VL = 31;
    private static final int VNNI = 11;
    /** State of XMM and YMM. */
    private static final long YMM = 0x6;
    /** State of masks and ZMM. */
    private static final long ZMM = 0xE6;

    private Features() {}

    /** The widest vectors that can be used, or none below AVX2 with FMA and F16C. */
    static Optional<Simd> widest() throws CodeRefused {
        try (Arena arena = Arena.ofConfined(); NativeCode ask = NativeCode.of(question())) {
            MemorySegment answer = arena.allocate(32, 8);
            long[] one = ask(ask, answer, 1);
            if (!bit(one[2], OSXSAVE) || !bit(one[2], FMA) || !bit(one[2], F16C)) {
                return Optional.empty();
            }
            long[] seven = ask(ask, answer, 7);
            long state;
            try (NativeCode control = NativeCode.of(control())) {
                state = control.call(answer, 0, 0, 0, 0, 0, 0, 0, 0);
            }
            if (!bit(seven[1], AVX2) || (state & YMM) != YMM) {
                return Optional.empty();
            }
            boolean wide = bit(seven[1], AVX512F) && bit(seven[1], AVX512DQ) && bit(seven[1], AVX512BW) && bit(seven[1], AVX512VL)
                    && (state & ZMM) == ZMM;
            return Optional.of(!wide ? Simd.AVX2 : bit(seven[2], VNNI) ? Simd.AVX512_VNNI : Simd.AVX512);
        }
    }

    private static boolean bit(long word, int bit) {
        return (word >>> bit & 1) != 0;
    }

    private static long[] ask(NativeCode code, MemorySegment answer, int leaf) {
        code.call(answer, leaf, 0, NativeCode.address(answer, 0), 0, 0, 0, 0, 0);
        return answer.toArray(ValueLayout.JAVA_LONG);
    }

    /** eax, ebx, ecx, edx of the leaf in the first argument and the subleaf in the second, to the third. */
    private static byte[] question() {
        Assembler a = new Assembler();
        a.push(Register.RBX);
        a.mov(Register.R8, Register.RDX);
        a.mov(Register.RAX, Register.RDI);
        a.mov(Register.RCX, Register.RSI);
        a.cpuid();
        a.store(At.of(Register.R8, 0), Register.RAX);
        a.store(At.of(Register.R8, 8), Register.RBX);
        a.store(At.of(Register.R8, 16), Register.RCX);
        a.store(At.of(Register.R8, 24), Register.RDX);
        a.pop(Register.RBX);
        a.ret();
        return a.bytes();
    }

    private static byte[] control() {
        Assembler a = new Assembler();
        a.mov(Register.RCX, 0);
        a.xgetbv();
        a.ret();
        return a.bytes();
    }
}
