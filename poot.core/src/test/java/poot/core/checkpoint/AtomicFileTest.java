package poot.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is written replaces regular files and nothing else. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AtomicFileTest {
    private static final AtomicFile.Content WORD = out -> out.write("word".getBytes());

    @TempDir
    private Path folder;

    @Test
    void aFileIsMadeAndReplaced() throws Exception {
        Path file = folder.resolve("file");
        AtomicFile.write(file, out -> out.write(new byte[100_000]));
        assertEquals(100_000, Files.size(file));
        AtomicFile.write(file, WORD);
        assertEquals("word", Files.readString(file));
        assertEquals(List.of("file"), names());
    }

    @Test
    void aFailureLeavesTheOldFile() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "old");
        IOException thrown = assertThrows(IOException.class, () -> AtomicFile.write(file, out -> {
            out.write(new byte[100_000]);
            throw new IOException("the source ended");
        }));
        assertEquals("the source ended", thrown.getMessage());
        assertEquals("old", Files.readString(file));
        assertEquals(List.of("file"), names());
    }

    @Test
    void aLinkStaysAndItsFileIsReplaced() throws Exception {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Files.writeString(inner.resolve("file"), "old");
        Files.createSymbolicLink(folder.resolve("first"), Path.of("second"));
        Files.createSymbolicLink(folder.resolve("second"), Path.of("inner/file"));
        AtomicFile.write(folder.resolve("first"), WORD);
        assertEquals("word", Files.readString(inner.resolve("file")));
        assertTrue(Files.isSymbolicLink(folder.resolve("first")) && Files.isSymbolicLink(folder.resolve("second")));
        assertEquals(List.of("first", "inner", "second"), names());
    }

    @Test
    void aLinkToNothingMakesItsFile() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("absent"));
        AtomicFile.write(link, WORD);
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("word", Files.readString(folder.resolve("absent")));
    }

    @Test
    void linksInACircleAreRefusedByName() throws Exception {
        Path one = Files.createSymbolicLink(folder.resolve("one"), Path.of("two"));
        Files.createSymbolicLink(folder.resolve("two"), Path.of("one"));
        FileSystemException refused = assertThrows(FileSystemException.class, () -> AtomicFile.write(one, WORD));
        assertEquals(one.toString(), refused.getFile());
    }

    @Test
    void aFolderIsRefusedByName() throws Exception {
        FileSystemException refused = assertThrows(FileSystemException.class, () -> AtomicFile.write(folder, WORD));
        assertEquals(folder + ": it is a folder; give the name of a file", refused.getMessage());
        assertEquals(List.of(), names());
    }

    @Test
    void aPipeIsWrittenThroughAndStays() throws Exception {
        Path pipe = pipe();
        Path link = Files.createSymbolicLink(folder.resolve("link"), pipe);
        for (Path name : List.of(pipe, link)) {
            CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> bytesOf(pipe));
            AtomicFile.write(name, out -> out.write(new byte[300_000]));
            assertEquals(300_000, read.get());
        }
        assertTrue(Files.exists(pipe) && !Files.isRegularFile(pipe));
        assertEquals(List.of("link", "pipe"), names());
    }

    private Path pipe() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "no /usr/bin/mkfifo: pipes with a name cannot be made");
        assertEquals(0, new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start().waitFor());
        return pipe;
    }

    private static int bytesOf(Path pipe) {
        try (InputStream in = Files.newInputStream(pipe)) {
            return in.readAllBytes().length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }
}
