package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Command;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** Pipelines kept between runs, whole or not at all. */
class PipelineFileTest {
    @TempDir
    private Path folder;

    private VulkanDevice open() throws ExecutorException {
        return Opened.device(Opened.options(true, false).withCache(folder.resolve("not/yet")), UnaryOperator.identity());
    }

    /** Bytes kept by an earlier run, which this one adds a kernel to. */
    private long run(int constant) throws ExecutorException {
        VulkanDevice device = open();
        long kept = device.keptPipelineBytes();
        var b = new KernelBuilder("constant", 64, device.limits().subgroup());
        Reg to = b.buffer("to", Access.WRITE);
        b.store(MemoryType.U32, to, b.globalThread(), b.u32(constant));
        device.compile(b.build());
        Opened.close(device);
        return kept;
    }

    private Path file() throws IOException {
        try (var all = Files.list(folder.resolve("not/yet"))) {
            List<Path> files = all.toList();
            assertEquals(1, files.size(), "one file, and no part of one: " + files);
            return files.getFirst();
        }
    }

    @Test
    void keepsPipelines() throws ExecutorException, IOException {
        assertEquals(0, run(1));
        long size = Files.size(file());
        assertTrue(size > 56, "a header and a driver's bytes: " + size);
        assertEquals(size - 56, run(1));
    }

    @Test
    void whatIsNotWholeIsNotUsed() throws ExecutorException, IOException {
        run(1);
        byte[] good = Files.readAllBytes(file());
        for (int at : new int[] {0, 8, 16, 30, 56, good.length - 1}) {
            byte[] bad = good.clone();
            bad[at] ^= 1;
            Files.write(file(), bad);
            assertEquals(0, run(2), "byte " + at);
        }
        for (int length : new int[] {0, 10, 56, good.length - 1}) {
            Files.write(file(), java.util.Arrays.copyOf(good, length));
            assertEquals(0, run(3), length + " bytes");
        }
        Files.write(file(), good);
        assertFalse(run(4) == 0);
    }

    /** A process that is killed from its first step on has kept what it compiled. */
    @Test
    void pipelinesAreKeptBeforeTheFirstStep() throws ExecutorException, IOException {
        VulkanDevice device = open();
        device.record(List.of(new Command.Fill(device.allocateHost("x", 16), 0, 16, false)));
        assertTrue(Files.size(file()) > 56);
        device.close();
    }

    /** Another device's or driver's pipelines, in a file that is whole, are refused by the driver, which begins without. */
    @Test
    void foreignPipelinesAreNotUsed() throws ExecutorException, IOException {
        run(1);
        byte[] body = java.util.Arrays.copyOfRange(Files.readAllBytes(file()), 56, (int) Files.size(file()));
        body[8] ^= 1; // of the vendor's number in the driver's own header
        assertTrue(new PipelineFile(file()).write(body));
        assertEquals(body.length, run(1));
        assertEquals(body.length, run(2));
    }

    @Test
    void theFolderIsBounded() throws IOException {
        Instant old = Instant.now().minus(Duration.ofDays(2));
        for (int i = 0; i < 12; i++) {
            Path of = Files.write(folder.resolve("driver" + i + ".pipelines"), new byte[100]);
            Files.setLastModifiedTime(of, FileTime.from(old.plusSeconds(i)));
        }
        Path killed = Files.write(folder.resolve("pipelines7.part"), new byte[10]);
        Files.setLastModifiedTime(killed, FileTime.from(old));
        Path busy = Files.write(folder.resolve("pipelines8.part"), new byte[10]);
        Path other = Files.write(folder.resolve("another.file"), new byte[10]);
        assertTrue(new PipelineFile(folder.resolve("now.pipelines")).write(new byte[10]));
        assertFalse(Files.exists(killed));
        assertTrue(Files.exists(busy) && Files.exists(other));
        for (int i = 0; i < 12; i++) {
            assertEquals(i > 12 - PipelineFile.MOST, Files.exists(folder.resolve("driver" + i + ".pipelines")), "driver " + i);
        }
        assertFalse(new PipelineFile(folder.resolve("now.pipelines")).write(new byte[(int) PipelineFile.LARGEST]), "too large");
        new PipelineFile(folder.resolve("now.pipelines")).forget();
        assertFalse(Files.exists(folder.resolve("now.pipelines")));
    }

    /** A folder that cannot be made costs the cache, and nothing else. */
    @Test
    void aFolderThatCannotBeMadeIsNoFailure() throws ExecutorException, IOException {
        Files.writeString(folder.resolve("not"), "a file where a folder should be");
        assertEquals(0, run(1));
        assertEquals(0, run(1));
    }
}
