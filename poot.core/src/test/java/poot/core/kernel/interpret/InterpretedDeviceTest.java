package poot.core.kernel.interpret;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

class InterpretedDeviceTest {
    private final InterpretedDevice device = InterpretedDevice.of(8, Fresh.UNDEFINED);

    /** {@code to[i] = from[i] + 1} of 64 F32. */
    private static DeviceKernel next() {
        var b = new KernelBuilder("next", 16, 8);
        Reg from = b.buffer("from", Access.READ);
        Reg to = b.buffer("to", Access.WRITE);
        b.store(MemoryType.F32, to, b.globalThread(), b.add(b.load(MemoryType.F32, from, b.globalThread()), 1));
        return b.build();
    }

    private Launch launch(DeviceBuffer from, DeviceBuffer to, boolean after) throws ExecutorException {
        return new Launch(device.compile(next()), List.of(Argument.of(from), Argument.of(to)), Grid.of(4), after);
    }

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void aStepWritesRunsAndReads() throws Exception {
        HostBuffer in = device.allocateHost("in", 256);
        HostBuffer out = device.allocateHost("out", 256);
        DeviceBuffer a = device.allocate("a", 256);
        DeviceBuffer b = device.allocate("b", 256);
        try (var step = device.record(List.of(new Command.Copy(in, 0, a, 0, 256, false), launch(a, b, true),
                new Command.Copy(b, 0, out, 0, 256, true)))) {
            for (int round = 0; round < 3; round++) {
                in.memory().setAtIndex(ValueLayout.JAVA_FLOAT, 63, 10f * round);
                step.run();
                assertEquals(10f * round + 1, out.memory().getAtIndex(ValueLayout.JAVA_FLOAT, 63));
            }
        }
        assertEquals(3, device.launches());
        assertEquals(0, a.address() % 256);
    }

    @Test
    void equalKernelsAreCompiledOnce() throws Exception {
        assertSame(device.compile(next()), device.compile(next()));
    }

    @Test
    void commandsWithoutAnOrderRace() throws Exception {
        DeviceBuffer a = device.allocate("a", 256);
        DeviceBuffer b = device.allocate("b", 256);
        device.fill(a, 0, 256);
        assertInstanceOf(KernelFault.Race.class, fault(List.of(launch(a, b, true), launch(b, a, false))));
        assertInstanceOf(KernelFault.Race.class, fault(List.of(new Command.Fill(a, 0, 256, true), launch(a, b, false))));
        assertInstanceOf(KernelFault.Race.class, fault(List.of(launch(a, b, true), new Command.Copy(b, 0, a, 0, 256, false))));
        try (var r = device.record(List.of(launch(a, b, true), launch(b, a, true)))) {
            r.run();
        }
    }

    private KernelFault fault(List<Command> commands) throws ExecutorException {
        try (var r = device.record(commands)) {
            return ((KernelFaultException) assertThrows(ExecutorException.class, r::run).getCause()).fault();
        }
    }

    @Test
    void copiesKeepWhatIsUndefined() throws Exception {
        DeviceBuffer a = device.allocate("a", 256);
        DeviceBuffer b = device.allocate("b", 256);
        device.upload(a, 16, MemorySegment.ofArray(new int[] {7, 8}));
        device.copy(a, 0, b, 4, 128);
        int[] out = new int[2];
        device.download(b, 20, MemorySegment.ofArray(out));
        assertArrayEquals(new int[] {7, 8}, out);
        var e = assertThrows(ExecutorException.class, () -> device.download(b, 16, MemorySegment.ofArray(out)));
        assertEquals("backend interpreted failed: download of b at byte 16, which nothing wrote", e.getMessage());
    }

    @Test
    void zeroedMemoryMayBeRead() throws Exception {
        try (var zeroed = InterpretedDevice.of(8, Fresh.ZEROED)) {
            int[] out = {5};
            zeroed.download(zeroed.allocate("a", 4), 0, MemorySegment.ofArray(out));
            assertEquals(0, out[0]);
        }
    }

    @Test
    void limitsAreKept() throws Exception {
        assertInstanceOf(ExecutorException.OutOfMemory.class, refused(() -> device.allocate("all", 2L << 30)));
        try (var small = new InterpretedDevice(new DeviceLimits("small", "one of 1 KiB", 8, 8, 8, 64, 16, 16, 64, 1024, 768, 1, true, Set.of()),
                Fresh.ZEROED)) {
            assertInstanceOf(ExecutorException.OutOfMemory.class, refused(() -> small.allocate("large", 800)));
            DeviceBuffer most = small.allocate("most", 700);
            assertInstanceOf(ExecutorException.OutOfMemory.class, refused(() -> small.allocateHost("more", 400)));
            most.close();
            most.close();
            small.allocate("more", 400);
        }
        var b = new KernelBuilder("wide", 32, 32);
        assertInstanceOf(ExecutorException.Unsupported.class, refused(() -> device.compile(b.build())));
        var m = new KernelBuilder("matrix", 8, 8);
        m.loadFragment(new Fragment(Fragment.Use.A, MemoryType.F16), MemoryBuilder.at(MemoryType.F16, m.buffer("x", Access.READ), m.u32(0)), m.u32(16),
                Layout.ROW_MAJOR);
        assertInstanceOf(ExecutorException.Unsupported.class, refused(() -> device.compile(m.build())));
        var s = new KernelBuilder("shared", 8, 8);
        s.shared("s", MemoryType.F32, 20_000);
        assertInstanceOf(ExecutorException.Unsupported.class, refused(() -> device.compile(s.build())));
        assertInstanceOf(ExecutorException.Mismatch.class, refused(() -> device.upload(device.allocate("a", 8), 4, MemorySegment.ofArray(new int[2]))));
    }

    private static ExecutorException.ExecutorFault refused(Executable what) {
        return assertThrows(ExecutorException.class, what).fault();
    }

    @Test
    void mistakesOfCallersAreRefused() throws Exception {
        DeviceBuffer a = device.allocate("a", 256);
        var k = device.compile(next());
        assertThrows(IllegalArgumentException.class, () -> new Launch(k, List.of(Argument.of(a)), Grid.of(1), true));
        assertThrows(IllegalArgumentException.class, () -> new Launch(k, List.of(Argument.of(a), Argument.u32(3)), Grid.of(1), true));
        assertThrows(IllegalArgumentException.class, () -> Argument.of(a, 200, 100));
        assertThrows(IllegalArgumentException.class, () -> Grid.of(0));
        assertThrows(IllegalArgumentException.class, () -> new Command.Fill(a, 2, 4, true));
        assertThrows(IllegalArgumentException.class, () -> new Command.Copy(a, 0, a, 4, 8, true));
        try (var other = InterpretedDevice.of(8, Fresh.ZEROED)) {
            var theirs = other.compile(next());
            assertInstanceOf(ExecutorException.Mismatch.class, refused(() -> device.record(List.of(new Launch(theirs,
                    List.of(Argument.of(a), Argument.of(a)), Grid.of(1), true)))));
        }
        var r = device.record(List.of(new Command.Fill(a, 0, 4, true)));
        a.close();
        assertThrows(IllegalStateException.class, r::run);
    }
}
