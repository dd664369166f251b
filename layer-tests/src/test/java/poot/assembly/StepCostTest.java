package poot.assembly;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import poot.acceptance.Repository;
import poot.api.executor.Executor;
import poot.api.graph.Role;
import poot.api.graph.TensorType;
import poot.api.graph.Weight;
import poot.api.model.KvForm;
import poot.api.model.KvLayout;
import poot.api.model.Model;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;
import poot.api.model.StepShape;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.execute.DeviceExecutor;
import poot.families.Families;
import poot.golden.OpenModel;
import poot.serve.bench.BenchShape;
import poot.serve.bench.WeightMix;
import poot.step.Chunk;
import poot.step.ExecutorSession;
import poot.step.Vulkan;

/**
 * What a token costs, decoded at the end of a full cache: kernels, barriers, and bytes against the least there is to read,
 * every weight and the whole cache once.
 */
class StepCostTest {
    private static final int POSITIONS = 512;
    private static final int RUNS = 20;
    /** Intermediate results may add a tenth to what a model of some size must read. */
    private static final double MOST_OF_LARGE = 1.1;

    private static double decode(TestReporter reporter, String name, Model model, SortedMap<Role, Weight> weights, Device device)
            throws Exception {
        StepShape base = StepShape.step(1, 1, POSITIONS).withLayout(new KvLayout.Contiguous(1)).withKv(KvForm.F16);
        CountingDevice counting = new CountingDevice(device);
        try (Executor executor = new DeviceExecutor(counting);
                ExecutorSession session = new ExecutorSession(model, weights, base, executor)) {
            long best = Long.MAX_VALUE;
            for (int i = 0; i < RUNS; i++) {
                session.step(new Chunk(0, POSITIONS - 1, 1));
                best = Math.min(best, counting.nanos());
            }
            long least = weights(weights) + states(model, base);
            StepCost cost = counting.last();
            double times = (double) cost.bytes() / least;
            reporter.publishEntry(name, String.format(Locale.ROOT, "%d kernels, %d copies, %d barriers; %.2f MB, least %.2f MB, ratio %.3f; %.0f us",
                    cost.launches(), cost.transfers(), cost.barriers(), cost.bytes() / 1e6, least / 1e6, times, best / 1e3));
            return times;
        }
    }

    /** Bytes of all tensors, those of tied weights once. */
    private static long weights(SortedMap<Role, Weight> weights) {
        Map<String, Long> tensors = new HashMap<>();
        weights.values().forEach(w -> tensors.put(w.name(), w.parts().stream().mapToLong(MemorySegment::byteSize).sum()));
        return tensors.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long states(Model model, StepShape base) {
        long bytes = 0;
        for (StateSpec s : model.schema().program(ProgramName.STEP).orElseThrow().states()) {
            bytes += s.types(base).values().stream().mapToLong(TensorType::bytes).sum();
        }
        return bytes;
    }

    @Test
    void theDemoModel(TestReporter reporter) throws Exception {
        try (OpenModel m = OpenModel.open(Repository.demoModel(), Families.registry())) {
            double times = decode(reporter, "poot-tiny", m.model(), m.weights(), Vulkan.device());
            assertTrue(times >= 1, "fewer bytes than there are: " + times);
        }
    }

    /** As the device here would run it. */
    @ParameterizedTest
    @EnumSource(names = {"BF16", "Q4_K_M"})
    void aBillionParameters(WeightMix mix, TestReporter reporter, @TempDir Path folder) throws Exception {
        DeviceLimits limits;
        try (Device device = Vulkan.device()) {
            limits = device.limits();
        }
        try (LargeModel m = LargeModel.write(folder, BenchShape.named("1b"))) {
            double times = decode(reporter, "1b " + mix, m.model(), m.weights(mix), DryDevice.of(limits));
            assertTrue(times >= 1 && times < MOST_OF_LARGE, "times the least: " + times);
        }
    }
}
