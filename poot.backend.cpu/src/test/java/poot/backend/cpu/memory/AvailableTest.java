package poot.backend.cpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.executor.MemoryLeft;

class AvailableTest {
    @TempDir
    Path root;

    private void file(String name, String text) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void theMachineTells() throws Exception {
        assertEquals(0, Available.bytes(root));
        file("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    700 kB\n");
        assertEquals(700 * 1024, Available.bytes(root));
        assertEquals(Optional.of(new MemoryLeft("the host", 9000 * 1024, 700 * 1024)), Available.left(root));
        file("proc/meminfo", "MemTotal: 9000 kB\n");
        assertEquals(Optional.empty(), Available.left(root));
        assertEquals(0, Available.bytes(root));
    }

    @Test
    void aContainerLeavesLess() throws Exception {
        file("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable: 700 kB\n");
        file("sys/fs/cgroup/memory.max", "max\n");
        assertEquals(700 * 1024, Available.bytes(root));
        file("sys/fs/cgroup/memory.max", "100000\n");
        file("sys/fs/cgroup/memory.current", "60000\n");
        file("sys/fs/cgroup/memory.stat", "anon 1\nactive_file 3000\ninactive_file 2000\n");
        assertEquals(45000, Available.bytes(root));
        assertEquals(Optional.of(new MemoryLeft("the host", 100000, 45000)), Available.left(root));
        file("sys/fs/cgroup/memory.current", "160000\n");
        assertEquals(0, Available.bytes(root));
        assertEquals(Optional.of(new MemoryLeft("the host", 100000, 0)), Available.left(root));
    }

    @Test
    void anOlderContainerToo() throws Exception {
        file("proc/meminfo", "MemAvailable: 700 kB\n");
        file("sys/fs/cgroup/memory/memory.limit_in_bytes", "50000\n");
        file("sys/fs/cgroup/memory/memory.usage_in_bytes", "20000\n");
        file("sys/fs/cgroup/memory/memory.stat", "active_file 0\ninactive_file 0\n");
        assertEquals(30000, Available.bytes(root));
    }
}
