package poot.emit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Memory whose last byte is the last of a file: the page behind it is mapped but not there, and reading it is fatal. */
final class Guarded {
    private static final long PAGE = 16 * 1024;

    private Guarded() {}

    /** Zeroed memory of {@code bytes}, aligned to what they are a multiple of. */
    static MemorySegment of(Path folder, long bytes, Arena arena) throws IOException {
        long whole = (bytes + PAGE - 1) / PAGE * PAGE;
        Path file = folder.resolve("guarded");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE, StandardOpenOption.DELETE_ON_CLOSE)) {
            MemorySegment mapped = channel.map(MapMode.READ_WRITE, 0, whole + PAGE, arena);
            channel.truncate(whole);
            return mapped.asSlice(whole - bytes, bytes);
        }
    }
}
