package poot.backend.cpu.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hardware threads of one core count once, where the system tells them apart. */
class ProcessorsTest {
    private static void cpu(Path cpus, int index, String siblings) throws IOException {
        Path topology = Files.createDirectories(cpus.resolve("cpu" + index + "/topology"));
        Files.writeString(topology.resolve("thread_siblings_list"), siblings + "\n");
    }

    @Test
    void siblingsAreOneCore(@TempDir Path cpus) throws IOException {
        Files.createDirectories(cpus.resolve("cpufreq"));
        for (int i = 0; i < 4; i++) {
            cpu(cpus, i, i % 2 + "," + (i % 2 + 2));
        }
        assertEquals(2, Processors.cores(cpus, 4));
        assertEquals(1, Processors.cores(cpus, 1));
    }

    @Test
    void whereNothingIsToldEveryProcessorCounts(@TempDir Path cpus) throws IOException {
        assertEquals(3, Processors.cores(cpus, 3));
        assertEquals(3, Processors.cores(cpus.resolve("missing"), 3));
        Files.createDirectories(cpus.resolve("cpu0"));
        assertEquals(3, Processors.cores(cpus, 3));
    }

    @Test
    void thisMachineHasCores() {
        assertTrue(Processors.cores() >= 1 && Processors.cores() <= Processors.available());
        assertTrue(Processors.mostThreads() >= Processors.available());
    }
}
