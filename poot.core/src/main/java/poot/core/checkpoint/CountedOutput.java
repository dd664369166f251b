package poot.core.checkpoint;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Counts what a {@link TensorBody} writes and holds it to what was announced. */
final class CountedOutput extends FilterOutputStream {
    private long count;

    CountedOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
        count++;
    }

    @Override
    public void write(byte[] b, int off, int len) throws IOException {
        out.write(b, off, len);
        count += len;
    }

    /** Writes a body and checks its length. */
    void body(String name, long bytes, TensorBody body) throws IOException {
        long before = count;
        body.write(this);
        if (count - before != bytes) {
            throw new IOException("tensor \"" + name + "\" wrote " + (count - before) + " bytes; it announced " + bytes);
        }
    }

    /** Writes zeros up to a multiple of {@code alignment}. */
    void pad(int alignment) throws IOException {
        write(new byte[(int) Math.floorMod(-count, (long) alignment)]);
    }
}
