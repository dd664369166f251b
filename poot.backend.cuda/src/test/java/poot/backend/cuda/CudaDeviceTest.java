package poot.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.executor.ExecutorException;
import poot.api.executor.MemoryLeft;
import poot.backend.cuda.device.CudaDevice;
import poot.backend.cuda.device.CudaDevices;
import poot.backend.cuda.driver.TestDriver;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceMemory;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** The device over the test driver: memory, recordings, and what happens when something fails. After each test all is given back. */
class CudaDeviceTest {
    private static final int N = 64;
    private TestDriver driver;
    private CudaDevice device;

    @BeforeEach
    void open() throws ExecutorException {
        driver = TestDriver.require();
        device = CudaDevices.open();
    }

    @AfterEach
    void close() {
        if (device != null) {
            device.close();
            assertEquals(0, driver.alive(), "handles of the driver that nobody gave back");
        }
    }

    /** {@code to[i] = to[i] * factor + add}, in place. */
    private static DeviceKernel step() {
        KernelBuilder b = new KernelBuilder("step", N, 32);
        Reg to = b.buffer("to", Access.READ_WRITE);
        Reg factor = b.scalar("factor", ScalarType.U32);
        Reg add = b.scalar("add", ScalarType.I32);
        Reg i = b.globalThread();
        b.store(MemoryType.U32, to, i, b.add(b.mul(b.load(MemoryType.U32, to, i), factor), b.toU32(add)));
        return b.build();
    }

    private Launch step(DeviceMemory to, int factor, int add, boolean after) throws ExecutorException {
        return new Launch(device.compile(step()), List.of(Argument.of(to), Argument.u32(factor), Argument.i32(add)), Grid.of(1), after);
    }

    private void run(Command... commands) throws ExecutorException {
        try (Recording r = device.record(List.of(commands))) {
            r.run();
        }
    }

    private int[] words(DeviceBuffer from) throws ExecutorException {
        int[] out = new int[(int) from.bytes() / 4];
        device.download(from, 0, MemorySegment.ofArray(out));
        return out;
    }

    private static <T> T fault(Class<T> type, Executable call) {
        return assertInstanceOf(type, assertThrows(ExecutorException.class, call).fault());
    }

    @Test
    void limitsAreTheDevices() {
        var limits = device.limits();
        assertEquals(32, limits.subgroup());
        assertEquals(1024, limits.maxWorkgroup());
        assertEquals(99 * 1024, limits.sharedBytes());
        assertEquals("Test device", limits.name());
        assertTrue(limits.has(Capability.MATRIX_BF16));
        assertTrue(limits.memoryBytes() > 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 255, 8 << 20, (8 << 20) + 1, (24 << 20) + 17})
    void bytesGoThereAndBack(int bytes) throws ExecutorException {
        byte[] sent = new byte[bytes];
        new Random(bytes).nextBytes(sent);
        byte[] got = new byte[bytes];
        try (DeviceBuffer b = device.allocate("bytes", bytes + 7)) {
            device.upload(b, 5, MemorySegment.ofArray(sent));
            device.download(b, 5, MemorySegment.ofArray(got));
            assertArrayEquals(sent, got);
            byte[] edges = new byte[5];
            device.download(b, 0, MemorySegment.ofArray(edges));
            assertArrayEquals(new byte[5], edges);
        }
    }

    @Test
    void nothingIsThereAndBack() throws ExecutorException {
        try (DeviceBuffer b = device.allocate("bytes", 4)) {
            device.upload(b, 4, MemorySegment.ofArray(new byte[0]));
            device.download(b, 0, MemorySegment.ofArray(new byte[0]));
        }
    }

    @Test
    void memoryIsZeroAndAligned() throws ExecutorException {
        DeviceBuffer a = device.allocate("a", 1000);
        HostBuffer h = device.allocateHost("h", 1000);
        assertEquals(0, a.address() % 256);
        assertEquals(0, h.address() % 256);
        assertArrayEquals(new int[250], words(a));
        assertEquals(-1, h.memory().mismatch(MemorySegment.ofArray(new byte[1000])));
    }

    @Test
    void ordersWhatIsAfter() throws ExecutorException {
        DeviceBuffer a = device.allocate("a", 4 * N);
        run(step(a, 1, 3, false), step(a, 5, 0, true), step(a, 1, -1, true));
        for (int x : words(a)) {
            assertEquals(14, x);
        }
    }

    /** The test driver runs what is not ordered from the last to the first. */
    @Test
    void doesNotOrderWhatIsNot() throws ExecutorException {
        DeviceBuffer a = device.allocate("a", 4 * N);
        run(step(a, 1, 3, true), step(a, 5, 0, false));
        assertEquals(3, words(a)[0]);
    }

    @Test
    void manyWaitForMany() throws ExecutorException {
        List<DeviceBuffer> all = new ArrayList<>();
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(device.allocate("b" + i, 4 * N));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20; i++) {
                DeviceBuffer to = all.get((i + round) % 20);
                commands.add(step(to, round + 1, 2, i == 0));
            }
        }
        try (Recording r = device.record(commands)) {
            r.run();
        }
        for (DeviceBuffer b : all) {
            assertEquals(2 * 2 * 3 + 2 * 3 + 2, words(b)[N - 1]);
        }
    }

    @Test
    void replaysWithWhatTheHostWrote() throws ExecutorException {
        HostBuffer in = device.allocateHost("in", 4 * N);
        HostBuffer out = device.allocateHost("out", 4 * N);
        DeviceBuffer work = device.allocate("work", 4 * N);
        Recording r = device.record(List.of(
                new Command.Copy(in, 0, work, 0, 4 * N, false), step(work, 3, 1, true), new Command.Copy(work, 0, out, 0, 4 * N, true),
                new Command.Fill(work, 0, 4 * N, true), step(in, 2, 0, false)));
        for (int i = 0; i < 5; i++) {
            in.memory().setAtIndex(ValueLayout.JAVA_INT, 7, i);
            r.run();
            assertEquals(3 * i + 1, out.memory().getAtIndex(ValueLayout.JAVA_INT, 7));
            assertEquals(2 * i, in.memory().getAtIndex(ValueLayout.JAVA_INT, 7));
            assertEquals(0, words(work)[7]);
        }
        r.close();
        r.close();
        fault(ExecutorException.Mismatch.class, r::run);
    }

    @Test
    void equalKernelsAreAssembledOnce() throws ExecutorException {
        assertSame(device.compile(step()), device.compile(step()));
        assertEquals(1, driver.get(TestDriver.Number.MODULES));
    }

    @Test
    void memoryRunsOut() throws ExecutorException {
        driver.set(TestDriver.Number.MEMORY, 1 << 20);
        DeviceBuffer a = device.allocate("half", 1 << 19);
        var f = fault(ExecutorException.OutOfMemory.class, () -> device.allocate("the whole", 1 << 20));
        assertEquals("the whole", f.what());
        assertEquals(1 << 20, f.bytes());
        assertEquals(new MemoryLeft("Test device", 1 << 20, 1 << 19), f.memory().orElseThrow());
        assertTrue(f.message().startsWith("not enough memory for the whole: 1.0 MiB (1048576 bytes), 512.0 KiB of the 1.0 MiB of Test device"
                + " are free; less is taken by "), f.message());
        a.close();
        a.close();
        device.allocate("the whole", 1 << 20);
    }

    @Test
    void aFailureReleasesEverything() throws ExecutorException {
        DeviceBuffer a = device.allocate("a", 4 * N);
        device.allocateHost("h", 64);
        Recording r = device.record(List.of(step(a, 1, 1, true)));
        driver.set(TestDriver.Number.FAIL_RUN, 1);
        var f = fault(ExecutorException.DeviceFailed.class, r::run);
        assertTrue(f.reason().contains("CUDA_ERROR_LAUNCH_FAILED"), f.reason());
        fault(ExecutorException.DeviceFailed.class, r::run);
        fault(ExecutorException.DeviceFailed.class, () -> device.allocate("more", 4));
        device.close();
        assertEquals(0, driver.alive());
        a.close();
        r.close();
        fault(ExecutorException.DeviceFailed.class, r::run);
        device = CudaDevices.open();
        assertArrayEquals(new int[1], words(device.allocate("again", 4)));
    }

    @Test
    void anAccessOutOfBoundsFails() throws ExecutorException {
        DeviceBuffer small = device.allocate("small", 4 * N - 4);
        fault(ExecutorException.DeviceFailed.class, () -> run(step(small, 1, 1, true)));
        assertTrue(driver.faults().getFirst().contains("4 bytes at"), driver.faults().toString());
    }

    @Test
    void refusesWhatTheDeviceHasNot() throws ExecutorException {
        Launch wide = new Launch(device.compile(step()), step(device.allocate("a", 4 * N), 1, 1, true).arguments(), Grid.of(1, 70_000), true);
        assertTrue(fault(ExecutorException.Unsupported.class, () -> device.record(List.of(wide))).capability().contains("65535"));
        KernelBuilder narrow = new KernelBuilder("narrow", 64, 16);
        fault(ExecutorException.Unsupported.class, () -> device.compile(narrow.build()));
        device.close();
        driver.capability(75);
        device = CudaDevices.open();
        KernelBuilder b = new KernelBuilder("brain", 32, 32);
        Reg f = b.fill(new Fragment(Fragment.Use.A, MemoryType.BF16), b.f32(1));
        Reg g = b.fill(new Fragment(Fragment.Use.B, MemoryType.BF16), b.f32(1));
        Reg c = b.multiply(f, g, b.fill(new Fragment(Fragment.Use.ACCUMULATOR, MemoryType.F32), b.f32(0)));
        b.storeFragment(c, KernelBuilder.at(MemoryType.F32, b.buffer("out", Access.WRITE), b.u32(0)), b.u32(16), Layout.ROW_MAJOR);
        DeviceKernel brain = b.build();
        assertTrue(fault(ExecutorException.Unsupported.class, () -> device.compile(brain)).message().contains("MATRIX_BF16"));
    }

    @Test
    void refusesWhatLeavesItsMemory() throws ExecutorException {
        DeviceBuffer a = device.allocate("a", 16);
        fault(ExecutorException.Mismatch.class, () -> device.upload(a, 8, MemorySegment.ofArray(new byte[9])));
        fault(ExecutorException.Mismatch.class, () -> device.download(a, -1, MemorySegment.ofArray(new byte[1])));
        fault(ExecutorException.Mismatch.class, () -> device.allocate("none", 0));
    }

    /** An address says nothing of whether there is still anything at it. */
    @Test
    void refusesMemoryThatIsGone() throws ExecutorException {
        DeviceBuffer a = device.allocate("a", 4 * N);
        HostBuffer h = device.allocateHost("h", 4 * N);
        Launch launch = step(a, 1, 1, true);
        a.close();
        assertTrue(fault(ExecutorException.Mismatch.class, () -> device.upload(a, 0, MemorySegment.ofArray(new byte[1]))).message()
                .contains("memory a is closed"));
        fault(ExecutorException.Mismatch.class, () -> device.download(a, 0, MemorySegment.ofArray(new byte[1])));
        fault(ExecutorException.Mismatch.class, () -> device.record(List.of(launch)));
        fault(ExecutorException.Mismatch.class, () -> device.record(List.of(new Command.Copy(h, 0, a, 0, 4, true))));
        fault(ExecutorException.Mismatch.class, () -> device.record(List.of(new Command.Fill(a, 0, 4, true))));
    }

    /** The host's view ends with the memory: using it then throws, and does not write to what others have by now. */
    @Test
    void theHostsViewEndsWithItsMemory() throws ExecutorException {
        MemorySegment closed = device.allocateHost("closed", 64).memory();
        HostBuffer h = device.allocateHost("h", 64);
        MemorySegment view = h.memory();
        h.close();
        assertThrows(IllegalStateException.class, () -> view.set(ValueLayout.JAVA_INT, 0, 1));
        device.close();
        assertThrows(IllegalStateException.class, () -> closed.set(ValueLayout.JAVA_INT, 0, 1));
    }

    /** Wherever the driver fails, the failure has a type and everything is given back. */
    @ParameterizedTest
    @ValueSource(ints = {2, 700})
    void everyCallMayFail(int code) throws ExecutorException {
        device.close();
        device = null;
        driver.set(TestDriver.Number.FAIL_CODE, code);
        int failures = 0;
        for (boolean whole = false; !whole; failures++) {
            assertTrue(failures < 500, "it never gets through");
            driver.set(TestDriver.Number.FAIL_CALL, failures + 1);
            whole = life(code == 2);
            driver.set(TestDriver.Number.FAIL_CALL, 0);
            assertEquals(0, driver.alive(), "handles that nobody gave back after call " + failures + " failed");
        }
        assertTrue(failures > 25, failures + " calls");
    }

    /** All that a device does; whether it got through. What fails is for want of {@code memory}, or a device. */
    private boolean life(boolean memory) {
        try (CudaDevice d = CudaDevices.open()) {
            device = d;
            DeviceBuffer a = d.allocate("a", 4 * N);
            HostBuffer h = d.allocateHost("h", 4 * N);
            d.upload(a, 0, MemorySegment.ofArray(new int[N]));
            try (Recording r = d.record(List.of(step(a, 1, 3, true), new Command.Copy(a, 0, h, 0, 4 * N, true), new Command.Fill(a, 0, 16, true)))) {
                r.run();
            }
            assertEquals(3, h.memory().get(ValueLayout.JAVA_INT, 0));
            return words(a)[N - 1] == 3;
        } catch (ExecutorException e) {
            assertEquals(memory ? ExecutorException.OutOfMemory.class : ExecutorException.DeviceFailed.class, e.fault().getClass(), e.toString());
            return false;
        } finally {
            device = null;
        }
    }

    /** One primary context serves all devices that are open, in whatever order they close, and whichever thread calls. */
    @Test
    void devicesShareAContext() throws Exception {
        CudaDevice other = CudaDevices.open();
        DeviceBuffer theirs = other.allocate("theirs", 4 * N);
        assertTrue(fault(ExecutorException.Mismatch.class, () -> device.fill(theirs, 0, 4)).message().contains("theirs"));
        device.close();
        try (var thread = Executors.newSingleThreadExecutor()) {
            int[] found = thread.submit(() -> {
                other.upload(theirs, 0, MemorySegment.ofArray(new int[] {7}));
                int[] out = new int[2];
                other.download(theirs, 0, MemorySegment.ofArray(out));
                return out;
            }).get();
            assertArrayEquals(new int[] {7, 0}, found);
        }
        other.close();
        assertEquals(0, driver.alive());
    }

    @Test
    void aClosedDeviceSaysSo() throws ExecutorException {
        DeviceBuffer a = device.allocate("a", 16);
        device.close();
        device.close();
        a.close();
        assertTrue(fault(ExecutorException.DeviceFailed.class, () -> device.allocate("b", 16)).reason().contains("closed"));
        assertFalse(driver.alive() > 0);
    }
}
