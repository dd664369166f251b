package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * The bytes of one block, or of a stretch of a row. A field begins at a constant offset, or that far plus a multiple of a
 * register (U32); it is read in the widest accesses that its alignment allows.
 *
 * @param at the address, a multiple of {@code alignment} bytes
 */
record BlockBytes(KernelBuilder b, Reg at, int alignment) {
    /** The byte at {@code offset + times * stride}. */
    Reg u8(int offset, Reg times, int stride) {
        return b.load(MemoryType.U8, at, index(offset, times, stride, 1));
    }

    /** The signed byte at {@code offset + times}. */
    Reg i8(int offset, Reg times) {
        return b.load(MemoryType.I8, at, index(offset, times, 1, 1));
    }

    /** The byte at {@code offset}. */
    Reg u8(int offset) {
        return u8(offset, b.u32(0), 0);
    }

    /** The 16-bit word at {@code offset + times * stride}. */
    Reg u16(int offset, Reg times, int stride) {
        if (aligned(offset, stride) >= 2) {
            return b.load(MemoryType.U16, at, index(offset, times, stride, 2));
        }
        return b.or(u8(offset, times, stride), b.shl(u8(offset + 1, times, stride), 8));
    }

    /** The 16-bit word at {@code offset}. */
    Reg u16(int offset) {
        return u16(offset, b.u32(0), 0);
    }

    /** The 32-bit word at {@code offset + times * stride}. */
    Reg u32(int offset, Reg times, int stride) {
        if (aligned(offset, stride) >= 4) {
            return b.load(MemoryType.U32, at, index(offset, times, stride, 4));
        }
        return b.or(u16(offset, times, stride), b.shl(u16(offset + 2, times, stride), 16));
    }

    /** The 32-bit word at {@code offset}. */
    Reg u32(int offset) {
        return u32(offset, b.u32(0), 0);
    }

    /** {@code count} 32-bit words from {@code offset + times * stride} on. */
    List<Reg> words(int count, int offset, Reg times, int stride) {
        int lanes = Math.min(4, aligned(offset, stride) / 4);
        List<Reg> out = new ArrayList<>(count);
        while (out.size() < count) {
            int from = offset + 4 * out.size();
            int rest = Integer.highestOneBit(count - out.size());
            int now = Math.min(lanes, rest);
            if (now > 1) {
                out.addAll(b.load(MemoryType.U32, at, index(from, times, stride, 4), now));
            } else {
                out.add(u32(from, times, stride));
            }
        }
        return out;
    }

    /** The binary16 at an even offset. */
    Reg half(int offset) {
        return b.load(MemoryType.F16, at, index(offset, b.u32(0), 0, 2));
    }

    /** Where {@code offset + times * stride} lies in units of {@code bytes}. */
    private Reg index(int offset, Reg times, int stride, int bytes) {
        return b.add(b.mul(times, stride / bytes), offset / bytes);
    }

    /** The largest power of two up to 16 that every such place is a multiple of. */
    private int aligned(int offset, int stride) {
        return Integer.lowestOneBit(alignment | offset | stride | 16);
    }
}
