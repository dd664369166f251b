package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** From bits to small whole numbers in F32. Words are U32, four elements to a word, the first lowest. */
final class Codes {
    /** 2^23 as F32: a whole number below it in the low bits of this is added to it exactly. */
    private static final int TWO_23 = 0x4B000000;

    /** {@code bits - bias} as F32; {@code bits} (U32) below 2^23. Exact, and cheaper than a conversion. */
    static Reg number(KernelBuilder b, Reg bits, int bias) {
        return b.sub(b.fromBits(b.or(bits, b.u32(TWO_23))), b.f32(0x1p23f + bias));
    }

    /** Every byte of every word, less {@code bias}. */
    static List<Reg> bytes(KernelBuilder b, List<Reg> words, int bias) {
        List<Reg> out = new ArrayList<>(4 * words.size());
        for (Reg word : words) {
            for (int shift = 0; shift < 32; shift += 8) {
                out.add(number(b, field(b, word, shift, 0xFF), bias));
            }
        }
        return out;
    }

    /** {@code word >> shift & mask}. */
    static Reg field(KernelBuilder b, Reg word, int shift, int mask) {
        Reg shifted = b.shr(word, shift);
        return mask == -1 >>> shift ? shifted : b.and(shifted, mask);
    }

    /** {@code word >> shift & mask} of every word, {@code shift} U32. */
    static List<Reg> fields(KernelBuilder b, List<Reg> words, Reg shift, int mask) {
        return words.stream().map(w -> b.and(b.shr(w, shift), mask)).toList();
    }

    /** The or of two lists, word by word. */
    static List<Reg> join(KernelBuilder b, List<Reg> x, List<Reg> y) {
        List<Reg> out = new ArrayList<>(x.size());
        for (int i = 0; i < x.size(); i++) {
            out.add(b.or(x.get(i), y.get(i)));
        }
        return out;
    }

    /** Every word shifted left. */
    static List<Reg> left(KernelBuilder b, List<Reg> words, int count) {
        return words.stream().map(w -> b.shl(w, count)).toList();
    }

    /** The low {@code 4 words} bits, one to a byte (0 or 1), in order. */
    static List<Reg> spread(KernelBuilder b, Reg bits, int words) {
        List<Reg> out = new ArrayList<>(words);
        for (int i = 0; i < words; i++) {
            Reg four = b.and(b.shr(bits, 4 * i), 15);
            out.add(b.and(b.mul(four, 0x00204081), 0x01010101));
        }
        return out;
    }

    /** Magnitudes 1 to 127, each negated where {@code signs} has its bit set, as F32. */
    static List<Reg> signed(KernelBuilder b, List<Reg> magnitudes, Reg signs) {
        List<Reg> negative = spread(b, signs, magnitudes.size());
        List<Reg> words = new ArrayList<>(magnitudes.size());
        for (int i = 0; i < magnitudes.size(); i++) {
            Reg n = negative.get(i);
            Reg twos = b.add(b.xor(magnitudes.get(i), b.mul(n, 0xFF)), n);
            words.add(b.xor(twos, 0x80808080));
        }
        return bytes(b, words, 128);
    }

    /** The entries of a table of F32 that the bytes of the words name. */
    static List<Reg> look(KernelBuilder b, Reg table, List<Reg> words) {
        List<Reg> out = new ArrayList<>(4 * words.size());
        for (Reg word : words) {
            for (int shift = 0; shift < 32; shift += 8) {
                out.add(b.load(MemoryType.F32, table, field(b, word, shift, 0xFF)));
            }
        }
        return out;
    }

    private Codes() {
    }
}
