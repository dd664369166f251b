package poot.core.quant;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The little-endian fields blocks are made of. */
final class Fields {
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();

    /** The unsigned byte at {@code at}. */
    static int u8(byte[] bytes, int at) {
        return bytes[at] & 0xFF;
    }

    /** The unsigned 16-bit word at {@code at}. */
    static int u16(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at) & 0xFFFF;
    }

    /** The 32-bit word at {@code at}. */
    static int i32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    /** The 64-bit word at {@code at}. */
    static long i64(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /** The binary16 at {@code at}, widened exactly. */
    static float half(byte[] bytes, int at) {
        return Float.float16ToFloat((short) SHORT.get(bytes, at));
    }

    /** Stores the low 16 bits of {@code value} at {@code at}. */
    static void putShort(byte[] bytes, int at, int value) {
        SHORT.set(bytes, at, (short) value);
    }

    /** Stores {@code value} at {@code at}. */
    static void putInt(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    /** Stores {@code value} at {@code at}. */
    static void putLong(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    private Fields() {
    }
}
