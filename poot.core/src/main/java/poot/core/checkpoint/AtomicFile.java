package poot.core.checkpoint;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file under a temporary name beside it and moves it into place when it is whole. What stands under the name
 * and is no regular file keeps its place: a pipe or a device is written through, a folder is refused. A symbolic link
 * stays, and the file it leads to is replaced.
 */
final class AtomicFile {
    /** Writes the content of a file. */
    @FunctionalInterface
    interface Content {
        void write(OutputStream out) throws IOException;
    }

    /** Links followed at most, as many as Linux follows. */
    private static final int LINKS = 40;
    /** Where links stand for a process's open files, such as its standard output, rather than for names. */
    private static final String OPEN_FILES = "/proc";

    private AtomicFile() {}

    /**
     * Replaces a file; on failure the old one stays and the temporary one is gone. A pipe or a device receives the content
     * as it is made; opening a pipe waits for its reader.
     *
     * @throws FileSystemException if the name is a folder's
     */
    static void write(Path file, Content content) throws IOException {
        if (Files.isDirectory(file)) {
            throw new FileSystemException(file.toString(), null, "it is a folder; give the name of a file");
        }
        Path target = followed(file);
        if (target.startsWith(OPEN_FILES)) {
            through(target, content, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        } else if (Files.exists(target) && !Files.isRegularFile(target)) {
            through(target, content, StandardOpenOption.WRITE);
        } else {
            replace(target, content);
        }
    }

    /** The name that a chain of links ends in, whether or not something stands there; the first one among open files. */
    private static Path followed(Path file) throws IOException {
        Path at = file;
        for (int links = 0; links <= LINKS; links++) {
            Path absolute = at.toAbsolutePath();
            at = absolute.getParent().toRealPath().resolve(absolute.getFileName());
            if (at.startsWith(OPEN_FILES) || !Files.isSymbolicLink(at)) {
                return at;
            }
            at = at.resolveSibling(Files.readSymbolicLink(at));
        }
        throw new FileSystemLoopException(file.toString());
    }

    private static void through(Path target, Content content, OpenOption... options) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target, options), 1 << 16)) {
            content.write(out);
        }
    }

    private static void replace(Path target, Content content) throws IOException {
        String unique = Long.toHexString(ProcessHandle.current().pid()) + "-" + Long.toHexString(System.nanoTime());
        Path temporary = target.resolveSibling(target.getFileName() + "." + unique + ".part");
        try {
            through(temporary, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
