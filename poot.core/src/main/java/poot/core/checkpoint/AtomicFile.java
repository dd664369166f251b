package poot.core.checkpoint;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file under a temporary name beside it and moves it into place when it is whole. */
final class AtomicFile {
    /** Writes the content of a file. */
    @FunctionalInterface
    interface Content {
        void write(OutputStream out) throws IOException;
    }

    private AtomicFile() {}

    /** Replaces a file; on failure the old one stays and the temporary one is gone. */
    static void write(Path file, Content content) throws IOException {
        String unique = Long.toHexString(ProcessHandle.current().pid()) + "-" + Long.toHexString(System.nanoTime());
        Path temporary = file.resolveSibling(file.getFileName() + "." + unique + ".part");
        try {
            OutputStream created = Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            try (OutputStream out = new BufferedOutputStream(created, 1 << 16)) {
                content.write(out);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
