package poot.backend.cuda;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import poot.api.executor.ExecutorException;
import poot.backend.cuda.device.CudaDevice;
import poot.backend.cuda.device.CudaDevices;
import poot.backend.cuda.kernels.FlowKernels;
import poot.backend.cuda.kernels.FragmentKernels;
import poot.backend.cuda.kernels.Instructions;
import poot.backend.cuda.kernels.KernelCase;
import poot.backend.cuda.kernels.MemoryKernels;
import poot.backend.cuda.kernels.RandomKernels;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * The suite for a machine that has a device: every kernel of the tests on it, against the kernels' interpreter, then what
 * the device does: bytes copied and read, products of matrices, an empty recording. Run by {@code bench/cuda-device.sh}.
 */
public final class DeviceSuite {
    private static final int SEEDS = 200;
    private static final int BYTES = 1 << 30;

    private DeviceSuite() {}

    /** {@code [file]}: what was measured is written to the file as JSON; fails where a kernel differs. */
    public static void main(String[] arguments) throws ExecutorException, IOException {
        try (CudaDevice device = CudaDevices.open()) {
            System.out.println(device.limits());
            int failed = parity(device);
            Map<String, Double> figures = figures(device);
            figures.forEach((name, value) -> System.out.printf(Locale.ROOT, "%s: %.3g%n", name, value));
            if (arguments.length > 0) {
                Files.writeString(Path.of(arguments[0]), json(device.limits().name(), failed, figures));
            }
            if (failed > 0) {
                throw new AssertionError(failed + " kernels differ");
            }
        }
    }

    private static Map<String, Double> figures(CudaDevice device) throws ExecutorException {
        Map<String, Double> out = new LinkedHashMap<>();
        out.put("empty_kernel_s", empty(device));
        out.put("upload_bytes_per_s", upload(device));
        out.put("copy_bytes_per_s", copy(device));
        out.put("read_bytes_per_s", read(device));
        if (device.limits().has(Capability.MATRIX_F16)) {
            out.put("f16_fragment_operations_per_s", multiply(device));
        }
        return out;
    }

    private static String json(String device, int failed, Map<String, Double> figures) {
        StringJoiner out = new StringJoiner(", ", "{", "}\n");
        out.add("\"device\": \"" + device.replaceAll("[^ -~]|[\"\\\\]", "?") + "\"").add("\"kernels_that_differ\": " + failed);
        figures.forEach((name, value) -> out.add("\"" + name + "\": " + value));
        return out.toString();
    }

    private static int parity(CudaDevice device) throws ExecutorException {
        List<KernelCase> all = new ArrayList<>(Instructions.all());
        all.addAll(MemoryKernels.all());
        all.addAll(FlowKernels.all());
        all.addAll(FragmentKernels.all(MemoryType.F16));
        all.addAll(FragmentKernels.all(MemoryType.I8));
        if (device.limits().has(Capability.MATRIX_BF16)) {
            all.addAll(FragmentKernels.all(MemoryType.BF16));
        }
        for (long seed = 0; seed < SEEDS; seed++) {
            all.add(RandomKernels.of(seed));
        }
        int failed = 0;
        for (KernelCase c : all) {
            try (InterpretedDevice reference = KernelCase.interpreter()) {
                List<MemorySegment> expected = c.run(reference);
                c.compare(expected, c.run(device));
            } catch (AssertionError e) {
                failed++;
                System.out.println(e.getMessage().lines().findFirst().orElse(""));
            }
        }
        System.out.println(all.size() + " kernels, " + failed + " differ");
        return failed;
    }

    /** Seconds of one run, the best of several. */
    private static double seconds(CudaDevice device, List<Command> commands) throws ExecutorException {
        try (Recording r = device.record(commands)) {
            r.run();
            double best = Double.MAX_VALUE;
            for (int i = 0; i < 10; i++) {
                long t = System.nanoTime();
                r.run();
                best = Math.min(best, (System.nanoTime() - t) * 1e-9);
            }
            return best;
        }
    }

    private static double empty(CudaDevice device) throws ExecutorException {
        DeviceKernel nothing = new KernelBuilder("nothing", 32, 32).build();
        List<Command> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(new Launch(device.compile(nothing), List.of(), Grid.of(1), true));
        }
        return seconds(device, all) / 100;
    }

    private static double upload(CudaDevice device) throws ExecutorException {
        try (DeviceBuffer b = device.allocate("upload", BYTES / 4)) {
            MemorySegment from = MemorySegment.ofArray(new byte[BYTES / 4]);
            device.upload(b, 0, from);
            long t = System.nanoTime();
            device.upload(b, 0, from);
            return BYTES / 4 / ((System.nanoTime() - t) * 1e-9);
        }
    }

    /** Bytes read and bytes written. */
    private static double copy(CudaDevice device) throws ExecutorException {
        try (DeviceBuffer a = device.allocate("from", BYTES); DeviceBuffer b = device.allocate("to", BYTES)) {
            return 2.0 * BYTES / seconds(device, List.of(new Command.Copy(a, 0, b, 0, BYTES, true)));
        }
    }

    /** 16 bytes a thread a turn, summed so that nothing is left out. */
    private static double read(CudaDevice device) throws ExecutorException {
        int groups = device.limits().computeUnits() * 8;
        KernelBuilder b = new KernelBuilder("read", 256, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = b.globalThread();
        Reg sum = b.loop(i, b.u32(BYTES / 16), groups * 256, b.u32(0), (k, s) -> {
            List<Reg> x = b.load(MemoryType.U32, in, b.mul(k, 4), 4);
            return b.xor(s, b.xor(b.xor(x.get(0), x.get(1)), b.xor(x.get(2), x.get(3))));
        });
        b.store(MemoryType.U32, out, i, sum);
        try (DeviceBuffer from = device.allocate("from", BYTES); DeviceBuffer to = device.allocate("to", groups * 1024L)) {
            return BYTES / seconds(device, List.of(new Launch(device.compile(b.build()), List.of(Argument.of(from), Argument.of(to)), Grid.of(groups), true)));
        }
    }

    /** Products of fragments that stay in registers: the rate nothing can exceed. */
    private static double multiply(CudaDevice device) throws ExecutorException {
        int rounds = 1000;
        int chains = 8;
        int groups = device.limits().computeUnits() * 4;
        KernelBuilder b = new KernelBuilder("multiply", 256, 32);
        Reg out = b.buffer("out", Access.WRITE);
        Reg times = b.scalar("times", ScalarType.U32);
        Reg x = b.fill(new Fragment(Fragment.Use.A, MemoryType.F16), b.f32(0.5f));
        Reg y = b.fill(new Fragment(Fragment.Use.B, MemoryType.F16), b.f32(0.25f));
        Fragment accumulator = new Fragment(Fragment.Use.ACCUMULATOR, MemoryType.F32);
        List<Reg> initial = new ArrayList<>();
        for (int i = 0; i < chains; i++) {
            initial.add(b.fill(accumulator, b.f32(0)));
        }
        List<Reg> sums = b.loop(b.u32(0), times, 1, initial, (i, held) -> held.stream().map(h -> b.multiply(x, y, h)).toList());
        for (Reg s : sums) {
            b.storeFragment(s, KernelBuilder.at(MemoryType.F32, out, b.mul(b.subgroup(), 256)), b.u32(16), Layout.ROW_MAJOR);
        }
        try (DeviceBuffer to = device.allocate("to", 8 * 1024)) {
            double s = seconds(device, List.of(new Launch(device.compile(b.build()), List.of(Argument.of(to), Argument.u32(rounds)), Grid.of(groups), true)));
            return 2.0 * 16 * 16 * 16 * rounds * chains * 8 * groups / s;
        }
    }
}
