package poot.core.checkpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of a tensor that is being written; produced when their turn comes, never held by the writer. */
@FunctionalInterface
public interface TensorBody {
    /** Writes exactly the bytes that the tensor's type and shape need, little-endian; leaves the stream open. */
    void write(OutputStream out) throws IOException;

    /** The body of an array of F32. */
    static TensorBody floats(float[] values) {
        return out -> {
            ByteBuffer chunk = ByteBuffer.allocate(4 * Math.min(values.length, 4096)).order(ByteOrder.LITTLE_ENDIAN);
            for (int at = 0; at < values.length; ) {
                chunk.clear();
                while (at < values.length && chunk.hasRemaining()) {
                    chunk.putFloat(values[at++]);
                }
                out.write(chunk.array(), 0, chunk.position());
            }
        };
    }

    /** The body of bytes as they are. */
    static TensorBody bytes(byte[] values) {
        return out -> out.write(values);
    }
}
