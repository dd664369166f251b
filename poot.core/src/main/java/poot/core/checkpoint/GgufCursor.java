package poot.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import poot.api.model.CheckpointException;

/** A position in the header of a GGUF file; every read is checked against the end of the file first. */
final class GgufCursor {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Path file;
    private final MemorySegment bytes;
    private long at;

    GgufCursor(Path file, MemorySegment bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Bytes read so far. */
    long position() {
        return at;
    }

    /** Bytes left in the file. */
    long remaining() {
        return bytes.byteSize() - at;
    }

    byte i8(String where) throws CheckpointException {
        return bytes.get(ValueLayout.JAVA_BYTE, take(1, where));
    }

    short i16(String where) throws CheckpointException {
        return bytes.get(SHORT, take(2, where));
    }

    int i32(String where) throws CheckpointException {
        return bytes.get(INT, take(4, where));
    }

    long i64(String where) throws CheckpointException {
        return bytes.get(LONG, take(8, where));
    }

    /** A count of things that each take at least {@code bytesEach} bytes of what is left. */
    long count(String where, String what, long bytesEach) throws CheckpointException {
        long n = i64(where);
        if (n < 0 || n > remaining() / bytesEach) {
            throw Faults.malformed(file, where, Long.toUnsignedString(n) + " " + what + " claimed; the " + remaining()
                    + " bytes left in the file hold at most " + remaining() / bytesEach);
        }
        return n;
    }

    /** The next bytes, copied; the caller has bounded {@code length}. */
    byte[] bytes(int length, String where) throws CheckpointException {
        byte[] out = new byte[length];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, take(length, where), out, 0, length);
        return out;
    }

    /** A string: a 64-bit length, then strict UTF-8. */
    String text(String where, int maxBytes) throws CheckpointException {
        long length = count(where, "bytes of a string", 1);
        if (length > maxBytes) {
            throw Faults.malformed(file, where, "a string of " + length + " bytes; at most " + maxBytes + " are read here");
        }
        if (length == 0) {
            return "";
        }
        byte[] raw = bytes((int) length, where);
        String out = new String(raw, StandardCharsets.UTF_8);
        if (out.indexOf('\uFFFD') < 0) {
            return out;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
        } catch (CharacterCodingException e) {
            throw new CheckpointException(new CheckpointException.Malformed(file, where, "not valid UTF-8"), e);
        }
    }

    private long take(long length, String where) throws CheckpointException {
        if (length > remaining()) {
            throw Faults.malformed(file, where, "the file ends here, " + (length - remaining()) + " bytes short");
        }
        long from = at;
        at += length;
        return from;
    }
}
