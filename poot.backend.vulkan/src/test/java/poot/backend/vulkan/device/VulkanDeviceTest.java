package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.vulkan.VK13.VK_ERROR_DEVICE_LOST;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.ExecutorFault;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.ExecutorException.Unsupported;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** A device from opening to closing: memory, recordings, refusals. */
class VulkanDeviceTest {
    private VulkanDevice device;

    @BeforeEach
    void open() throws ExecutorException {
        device = Opened.device();
    }

    @AfterEach
    void close() {
        if (device != null) {
            Opened.close(device);
        }
    }

    /** {@code y[i] = a * x[i] + y[i]} of n elements. */
    private static DeviceKernel saxpy(int subgroup) {
        var b = new KernelBuilder("saxpy", 64, subgroup);
        Reg x = b.buffer("x", Access.READ);
        Reg y = b.buffer("y", Access.READ_WRITE);
        Reg a = b.scalar("a", ScalarType.F32);
        Reg n = b.scalar("n", ScalarType.U32);
        Reg i = b.globalThread();
        b.when(b.lt(i, n), () -> {
            Reg xi = b.load(MemoryType.F32, x, i);
            Reg yi = b.load(MemoryType.F32, y, i);
            b.store(MemoryType.F32, y, i, b.fma(a, xi, yi));
        });
        return b.build();
    }

    private DeviceKernel saxpy() {
        return saxpy(device.limits().subgroup());
    }

    private Launch saxpy(HostBuffer x, HostBuffer y, float a, boolean after) throws ExecutorException {
        int n = (int) (x.bytes() / 4);
        return new Launch(device.compile(saxpy()), List.of(Argument.of(x), Argument.of(y), Argument.f32(a), Argument.u32(n)),
                Grid.of((n + 63) / 64), after);
    }

    private static ExecutorFault fault(Executable e) {
        return assertThrows(ExecutorException.class, e).fault();
    }

    @Test
    void replaysARecording() throws ExecutorException {
        int n = 1000;
        HostBuffer x = device.allocateHost("x", 4L * n);
        HostBuffer y = device.allocateHost("y", 4L * n);
        try (var recording = device.record(List.of(saxpy(x, y, 2, false), saxpy(y, x, 1, true)))) {
            for (int i = 0; i < n; i++) {
                x.memory().setAtIndex(ValueLayout.JAVA_FLOAT, i, i);
            }
            recording.run(); // y = 2i, x = 3i
            recording.run(); // y = 8i, x = 11i
            x.memory().setAtIndex(ValueLayout.JAVA_FLOAT, 3, 0); // Seen by the next run: y[3] = 24, x[3] = 24.
            recording.run();
        }
        assertEquals(24, x.memory().getAtIndex(ValueLayout.JAVA_FLOAT, 3));
        for (int i = 4; i < n; i++) {
            assertEquals(30f * i, y.memory().getAtIndex(ValueLayout.JAVA_FLOAT, i), "element " + i);
        }
    }

    @Test
    void copiesAndFillsInOrder() throws ExecutorException {
        HostBuffer in = device.allocateHost("in", 1024);
        DeviceBuffer mid = device.allocate("mid", 2048);
        HostBuffer out = device.allocateHost("out", 1024);
        byte[] content = new byte[1024];
        new Random(1).nextBytes(content);
        MemorySegment.copy(content, 0, in.memory(), ValueLayout.JAVA_BYTE, 0, 1024);
        try (var recording = device.record(List.of(new Command.Copy(in, 0, mid, 512, 1024, false), new Command.Fill(mid, 600, 100, true),
                new Command.Copy(mid, 512, out, 0, 1024, true)))) {
            recording.run();
        }
        for (int i = 0; i < 1024; i++) {
            assertEquals(i >= 88 && i < 188 ? 0 : content[i], out.memory().get(ValueLayout.JAVA_BYTE, i), "byte " + i);
        }
    }

    @Test
    void movesBytesOfAnySizeDirectly() throws ExecutorException {
        movesBytes(device);
    }

    /** As a device of its own memory does it. */
    @Test
    void movesBytesOfAnySizeInPieces() throws ExecutorException {
        VulkanDevice staged = Opened.device(Opened.options(true, true), UnaryOperator.identity());
        movesBytes(staged);
        Opened.close(staged);
    }

    private static void movesBytes(VulkanDevice device) throws ExecutorException {
        Random random = new Random(2);
        for (long size : new long[] {1, 3, 257, 70_001, Transfers.PIECE, Transfers.PIECE + 1, 3 * Transfers.PIECE + 12345}) {
            try (DeviceBuffer buffer = device.allocate("bytes", size + 13)) {
                byte[] content = new byte[(int) size];
                random.nextBytes(content);
                device.upload(buffer, 7, MemorySegment.ofArray(content));
                byte[] back = new byte[(int) size + 13];
                device.download(buffer, 0, MemorySegment.ofArray(back));
                byte[] expected = new byte[back.length];
                System.arraycopy(content, 0, expected, 7, content.length);
                assertEquals(-1, java.util.Arrays.mismatch(expected, back), size + " bytes");
            }
        }
    }

    @Test
    void memoryIsZeroedAndAlignedAlsoWhenUsedAgain() throws ExecutorException {
        Random random = new Random(3);
        List<DeviceBuffer> open = new ArrayList<>();
        for (int round = 0; round < 200; round++) {
            if (!open.isEmpty() && random.nextInt(3) == 0) {
                open.remove(random.nextInt(open.size())).close();
                continue;
            }
            int bytes = random.nextInt(20) == 0 ? 3 << 20 : random.nextInt(1, 100_000);
            DeviceBuffer buffer = device.allocate("buffer " + round, bytes);
            open.add(buffer);
            assertEquals(0, buffer.address() % 256);
            byte[] back = new byte[bytes];
            device.download(buffer, 0, MemorySegment.ofArray(back));
            assertEquals(-1, java.util.Arrays.mismatch(new byte[bytes], back));
            new Random(round).nextBytes(back);
            device.upload(buffer, 0, MemorySegment.ofArray(back));
        }
        for (DeviceBuffer a : open) {
            for (DeviceBuffer b : open) {
                assertTrue(a == b || a.address() + a.bytes() <= b.address() || b.address() + b.bytes() <= a.address());
            }
            a.close();
            a.close();
        }
    }

    @Test
    void refusesMoreMemoryThanThereIs() throws ExecutorException {
        assertInstanceOf(OutOfMemory.class, fault(() -> device.allocate("too much", Long.MAX_VALUE / 2)));
        assertInstanceOf(OutOfMemory.class, fault(() -> device.allocateHost("too much", device.limits().maxAllocationBytes() + 1)));
        OutOfMemory f = assertInstanceOf(OutOfMemory.class, fault(() -> device.allocate("layers.7.key", 1L << 50)));
        assertTrue(f.message().contains("layers.7.key") && f.message().contains("1.0 PiB") && f.message().contains("; less is taken by"),
                f.message());
        assertEquals(device.memory().isPresent(), f.memory().isPresent());
        device.allocate("enough", 1000).close();
    }

    @Test
    void itsMemoryIsTheDriversAndLessByWhatIsHeld() throws ExecutorException {
        assumeTrue(device.memory().isPresent(), "a processor that plays a device has no memory of its own");
        var before = device.memory().orElseThrow();
        assertEquals(device.limits().name(), before.place());
        assertTrue(before.free() > 0 && before.free() <= before.total(), before.toString());
        try (DeviceBuffer held = device.allocate("held", 64L << 20)) {
            assertTrue(device.memory().orElseThrow().free() <= before.total() - held.bytes(), device.memory() + " after " + before);
        }
    }

    /** The host's view ends with the memory: using it then throws, and does not write to what others have by now. */
    @Test
    void theHostsViewEndsWithItsMemory() throws ExecutorException {
        VulkanDevice other = Opened.device();
        MemorySegment closed = other.allocateHost("closed", 64).memory();
        HostBuffer h = device.allocateHost("h", 64);
        MemorySegment view = h.memory();
        h.close();
        assertThrows(IllegalStateException.class, () -> view.set(ValueLayout.JAVA_INT, 0, 1));
        Opened.close(other);
        assertThrows(IllegalStateException.class, () -> closed.set(ValueLayout.JAVA_INT, 0, 1));
    }

    /** Devices that are opened, used and closed by threads of their own know nothing of each other. */
    @Test
    void devicesOfSeveralThreadsAreApart() throws Exception {
        try (var threads = Executors.newFixedThreadPool(3)) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                all.add(threads.submit(() -> {
                    for (int round = 0; round < 3; round++) {
                        VulkanDevice own = VulkanDevice.open(Opened.options(false, round == 1));
                        movesBytes(own);
                        own.close();
                    }
                    return null;
                }));
            }
            for (Future<?> f : all) {
                f.get();
            }
        }
    }

    @Test
    void refusesWhatItHasNot() throws ExecutorException {
        assertInstanceOf(Unsupported.class, fault(() -> device.compile(saxpy(64))), "a subgroup of 64");
        CompiledKernel kernel = device.compile(saxpy());
        HostBuffer x = device.allocateHost("x", 256);
        List<Argument> arguments = List.of(Argument.of(x), Argument.of(x), Argument.f32(1), Argument.u32(1));
        Grid large = new Grid(1, device.limits().maxGridYz() + 1, 1);
        var found = assertInstanceOf(Unsupported.class, fault(() -> device.record(List.of(new Launch(kernel, arguments, large, false)))));
        assertTrue(found.message().contains("saxpy"), found.message());
    }

    @Test
    void refusesWhatIsClosedOrOfAnother() throws ExecutorException {
        HostBuffer x = device.allocateHost("x", 256);
        HostBuffer y = device.allocateHost("y", 256);
        Launch launch = saxpy(x, y, 1, false);
        y.close();
        assertInstanceOf(Mismatch.class, fault(() -> device.record(List.of(launch))));
        DeviceBuffer gone = device.allocate("gone", 16);
        gone.close();
        assertInstanceOf(Mismatch.class, fault(() -> device.upload(gone, 0, MemorySegment.ofArray(new byte[16]))));
        DeviceBuffer small = device.allocate("small", 16);
        assertInstanceOf(Mismatch.class, fault(() -> device.upload(small, 1, MemorySegment.ofArray(new byte[16]))));
        assertInstanceOf(Mismatch.class, fault(() -> device.download(small, -1, MemorySegment.ofArray(new byte[16]))));
        VulkanDevice other = Opened.device();
        try {
            HostBuffer theirs = other.allocateHost("theirs", 256);
            assertInstanceOf(Mismatch.class, fault(() -> device.record(List.of(new Command.Copy(theirs, 0, x, 0, 16, false)))));
            assertInstanceOf(Mismatch.class, fault(() -> other.record(List.of(launch))));
        } finally {
            Opened.close(other);
        }
    }

    @Test
    void kernelsAreCompiledOnce() throws ExecutorException {
        assertSame(device.compile(saxpy()), device.compile(saxpy()));
    }

    @Test
    void afterClosingNothingRuns() throws ExecutorException {
        VulkanDevice closed = Opened.device();
        HostBuffer x = closed.allocateHost("x", 256);
        var recording = closed.record(List.of(new Command.Fill(x, 0, 16, false)));
        Opened.close(closed);
        assertInstanceOf(Mismatch.class, fault(recording::run));
        assertInstanceOf(DeviceFailed.class, fault(() -> closed.allocate("late", 1)));
        recording.close();
        x.close();
        closed.close();
    }

    /** A lost device says so, and says it again until it is closed, which releases everything. */
    @Test
    void aFailureIsTypedAndLasts() throws ExecutorException {
        VulkanDevice lost = Opened.device();
        lost.allocate("held", 1 << 22);
        var failure = fault(() -> lost.guard(() -> Outcome.check(VK_ERROR_DEVICE_LOST, "vkQueueSubmit", "a step")));
        assertInstanceOf(DeviceFailed.class, failure);
        assertTrue(failure.message().contains("VK_ERROR_DEVICE_LOST"), failure.message());
        assertInstanceOf(DeviceFailed.class, fault(() -> lost.allocate("more", 16)));
        assertInstanceOf(DeviceFailed.class, fault(() -> lost.record(List.of())));
        Opened.close(lost);
    }
}
