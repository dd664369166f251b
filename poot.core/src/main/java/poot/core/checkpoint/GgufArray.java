package poot.core.checkpoint;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

/** An array of numbers or truth values from GGUF metadata, kept as its bytes and boxed when read. Unmodifiable. */
final class GgufArray extends AbstractList<Object> implements RandomAccess {
    private final GgufType type;
    private final ByteBuffer bytes;

    /** An array over little-endian bytes that nobody changes; the type has a fixed size. */
    GgufArray(GgufType type, byte[] bytes) {
        this.type = type;
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** What it is an array of. */
    GgufType type() {
        return type;
    }

    /** A copy of its little-endian bytes. */
    byte[] bytes() {
        byte[] out = new byte[bytes.capacity()];
        bytes.get(0, out);
        return out;
    }

    @Override
    public int size() {
        return bytes.capacity() / type.bytes();
    }

    @Override
    public Object get(int index) {
        int at = Objects.checkIndex(index, size()) * type.bytes();
        return switch (type) {
            case UINT8 -> (long) (bytes.get(at) & 0xFF);
            case INT8 -> (long) bytes.get(at);
            case UINT16 -> (long) (bytes.getShort(at) & 0xFFFF);
            case INT16 -> (long) bytes.getShort(at);
            case UINT32 -> bytes.getInt(at) & 0xFFFF_FFFFL;
            case INT32 -> (long) bytes.getInt(at);
            case FLOAT32 -> (double) bytes.getFloat(at);
            case BOOL -> bytes.get(at) != 0;
            case UINT64 -> unsigned(bytes.getLong(at));
            case INT64 -> bytes.getLong(at);
            case FLOAT64 -> bytes.getDouble(at);
            case STRING, ARRAY -> throw new IllegalStateException("no fixed size: " + type);
        };
    }

    /** An unsigned 64-bit integer: {@code Long} where it fits, {@code Double} beyond. */
    static Object unsigned(long bits) {
        return bits >= 0 ? (Object) bits : (Object) ((double) (bits >>> 1) * 2.0 + (bits & 1));
    }
}
