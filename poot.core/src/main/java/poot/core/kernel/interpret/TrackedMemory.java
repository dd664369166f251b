package poot.core.kernel.interpret;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;
import poot.core.kernel.ir.MemoryType;

/** Bytes of a buffer or shared array, which of them something wrote, and who. */
final class TrackedMemory {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private final String what;
    private final MemorySegment bytes;
    private final Shadow shadow;
    private final BitSet defined;

    /** Memory over a segment of less than 2 GiB, all of it written or none. */
    TrackedMemory(String what, MemorySegment bytes, boolean written) {
        this.what = what;
        this.bytes = bytes;
        this.shadow = new Shadow(bytes.byteSize());
        this.defined = new BitSet();
        define(0, bytes.byteSize(), written);
    }

    String what() {
        return what;
    }

    MemorySegment bytes() {
        return bytes;
    }

    /** Says of a range whether something wrote it. */
    void define(long offset, long count, boolean written) {
        defined.set(Math.toIntExact(offset), Math.toIntExact(offset + count), written);
    }

    /** The first byte of a range that nothing wrote, or -1. */
    long undefined(long offset, long count) {
        int at = defined.nextClearBit(Math.toIntExact(offset));
        return at < offset + count ? at : -1;
    }

    /** Copies a range, written or not. */
    void copyTo(TrackedMemory to, long from, long offset, long count) {
        MemorySegment.copy(bytes, from, to.bytes, offset, count);
        to.define(offset, count, false);
        int end = Math.toIntExact(from + count);
        for (int i = defined.nextSetBit(Math.toIntExact(from)); i >= 0 && i < end; i = defined.nextSetBit(i)) {
            int stop = Math.min(defined.nextClearBit(i), end);
            to.define(offset + (i - from), stop - i, true);
            i = stop;
        }
    }

    /** One element as the bits of its register; {@code noted} unless nothing may write it anyway. */
    int read(long offset, MemoryType type, boolean noted, Site site) throws KernelFaultException {
        beforeRead(offset, type.bytes(), noted, site);
        return switch (type) {
            case U8 -> bytes.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
            case I8 -> bytes.get(ValueLayout.JAVA_BYTE, offset);
            case U16 -> bytes.get(SHORT, offset) & 0xffff;
            case I16 -> bytes.get(SHORT, offset);
            case U32, I32, F32 -> bytes.get(INT, offset);
            case F16 -> Scalars.bits(Float.float16ToFloat(bytes.get(SHORT, offset)));
            case BF16 -> bytes.get(SHORT, offset) << 16;
        };
    }

    /** Writes one element from the bits of its register. */
    void write(long offset, MemoryType type, int value, Site site) throws KernelFaultException {
        beforeWrite(offset, type.bytes(), false, site);
        switch (type) {
            case U8, I8 -> bytes.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
            case U16, I16 -> bytes.set(SHORT, offset, (short) value);
            case U32, I32, F32 -> bytes.set(INT, offset, value);
            case F16 -> bytes.set(SHORT, offset, Float.floatToFloat16(Scalars.real(value)));
            case BF16 -> bytes.set(SHORT, offset, (short) Scalars.toBf16(value));
        }
        define(offset, type.bytes(), true);
    }

    /** Replaces a U32 in one step; the value before. */
    int update(long offset, IntUnaryOperator change, Site site) throws KernelFaultException {
        requireDefined(offset, 4, site);
        beforeWrite(offset, 4, true, site);
        int before = bytes.get(INT, offset);
        bytes.set(INT, offset, change.applyAsInt(before));
        return before;
    }

    /** Checks that nothing else writes bytes that are copied as they are, written or not. */
    void beforeCopy(long offset, int count, Site site) throws KernelFaultException {
        requireAlone(shadow.read(offset, count, true, site), offset, site);
    }

    /** Checks that bytes may be read now. */
    void beforeRead(long offset, int count, boolean noted, Site site) throws KernelFaultException {
        requireDefined(offset, count, site);
        requireAlone(shadow.read(offset, count, noted, site), offset, site);
    }

    /** Checks that bytes may be written now. */
    void beforeWrite(long offset, int count, boolean atomic, Site site) throws KernelFaultException {
        requireAlone(shadow.write(offset, count, atomic, site), offset, site);
    }

    private void requireDefined(long offset, int count, Site site) throws KernelFaultException {
        for (long i = offset; i < offset + count; i++) {
            if (!defined.get((int) i)) {
                throw new KernelFaultException(new KernelFault.Uninitialised(site.where(), what, i));
            }
        }
    }

    private void requireAlone(String other, long offset, Site site) throws KernelFaultException {
        if (other != null) {
            throw new KernelFaultException(new KernelFault.Race(site.where(), what, offset, other));
        }
    }
}
