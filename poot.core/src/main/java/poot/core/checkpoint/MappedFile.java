package poot.core.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import poot.api.model.CheckpointException;

/**
 * A file mapped read-only into an arena.
 *
 * @param path  the file
 * @param bytes its whole content; valid until the arena closes
 */
record MappedFile(Path path, MemorySegment bytes) {
    private static final byte[] LFS = "version https://git-lfs".getBytes(StandardCharsets.US_ASCII);

    /** Maps a file; no page of it is touched. */
    static MappedFile map(Path path, Arena arena) throws CheckpointException {
        if (!Files.exists(path)) {
            throw Faults.absent(path, "it should hold the weights");
        }
        if (!Files.isRegularFile(path)) {
            throw Faults.unreadable(path, new IOException("not a regular file"));
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            return new MappedFile(path, all);
        } catch (IOException e) {
            throw Faults.unreadable(path, e);
        }
    }

    /** Refuses a pointer that version control left in place of the file. */
    void refusePointer() throws CheckpointException {
        if (bytes.byteSize() >= LFS.length
                && bytes.asSlice(0, LFS.length).mismatch(MemorySegment.ofArray(LFS)) == -1) {
            throw Faults.malformed(path, "content", "a Git LFS pointer, not the file itself; fetch it with git lfs pull");
        }
    }

    /** A stream over part of the file. */
    InputStream stream(long from, long length) {
        MemorySegment part = bytes.asSlice(from, length);
        return new InputStream() {
            private long at;

            @Override
            public int read() {
                return at < part.byteSize() ? part.get(ValueLayout.JAVA_BYTE, at++) & 0xFF : -1;
            }

            @Override
            public int read(byte[] into, int offset, int count) {
                if (count == 0) {
                    return 0;
                }
                int n = (int) Math.min(count, part.byteSize() - at);
                if (n == 0) {
                    return -1;
                }
                MemorySegment.copy(part, ValueLayout.JAVA_BYTE, at, into, offset, n);
                at += n;
                return n;
            }
        };
    }
}
