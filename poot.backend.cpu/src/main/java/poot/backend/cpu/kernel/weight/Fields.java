package poot.backend.cpu.kernel.weight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The little-endian scalar fields of blocks in an array. */
final class Fields {
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();

    private Fields() {}

    /** The binary16 at {@code at}. */
    static float half(byte[] w, int at) {
        return Float.float16ToFloat((short) SHORT.get(w, at));
    }

    /** The 32-bit word at {@code at}. */
    static int word(byte[] w, int at) {
        return (int) INT.get(w, at);
    }
}
