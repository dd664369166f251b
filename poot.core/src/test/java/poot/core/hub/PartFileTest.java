package poot.core.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartFileTest {
    @TempDir
    private Path folder;

    private PartFile open() throws IOException {
        return PartFile.open(folder.resolve("blob"), 10_000, 4096);
    }

    @Test
    void whatCameIsKnownWhenItIsOpenedAgain() throws Exception {
        try (PartFile part = open()) {
            assertEquals(List.of(0, 1, 2), part.unfinished());
            part.tag("\"t\"");
            part.append(1, ByteBuffer.allocate(4096));
            part.append(2, ByteBuffer.allocate(100));
            assertThrows(IOException.class, () -> part.append(2, ByteBuffer.allocate(4096)));
        }
        try (PartFile part = open()) {
            assertEquals(List.of(0, 2), part.unfinished());
            assertEquals(4196, part.received());
            assertEquals("\"t\"", part.tag());
            assertEquals(4196, PartFile.received(part.file()));
            part.reset("");
            assertEquals(0, part.received());
        }
    }

    @Test
    void aStateThatCannotBeIsNotBelieved() throws Exception {
        Path state = folder.resolve("blob.state");
        for (int what = 0; what < 6; what++) {
            try (PartFile part = open()) {
                part.append(0, ByteBuffer.allocate(4096));
            }
            byte[] bytes = Files.readAllBytes(state);
            switch (what) {
                case 0 -> Files.write(state, new byte[0]);
                case 1 -> Files.write(state, new byte[1 << 20]);
                case 2 -> Files.write(state, ByteBuffer.wrap(bytes).putLong(1024, 5000).array());
                case 3 -> Files.write(state, ByteBuffer.wrap(bytes).putLong(1024, -1).array());
                case 4 -> Files.write(state, ByteBuffer.wrap(bytes).putLong(1032, 4096).array());
                default -> Files.delete(folder.resolve("blob.part"));
            }
            try (PartFile part = open()) {
                assertEquals(0, part.received(), "case " + what);
                part.delete();
            }
        }
    }

    @Test
    void aHugeFileHasABoundedState() throws Exception {
        try (PartFile part = PartFile.open(folder.resolve("huge"), 1L << 44, 4096)) {
            assertEquals(1L << 44, part.start(part.segmentAt((1L << 44) - 1)) + part.length(part.segmentAt((1L << 44) - 1)));
        }
        assertEquals(1024 + 8 * 1_048_512L, Files.size(folder.resolve("huge.state")), 1024);
    }
}
