package poot.parity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.families.Families;
import poot.fixtures.Fixture;
import poot.golden.OpenModel;
import poot.step.Serving;

/** A driver over the kernels of devices, interpreted, chooses what one over the CPU does, greedily and drawn with a seed. */
class ServingDeviceTest {
    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withRows(3).withCapacity(32).withPrefillChunk(8)
            .withHeads(EnumSet.of(HeadKind.GREEDY, HeadKind.SAMPLE));

    private static List<int[]> continuations(OpenModel m, Executor executor) throws Exception {
        Random random = new Random(9);
        try (executor; ServingDriver d = Serving.open(m.handle(), executor, OPTIONS)) {
            List<SeqRequest> requests = new ArrayList<>();
            for (int length : new int[] {3, 11, 6}) {
                SeqRequest r = SeqRequest.of(random.ints(length, 1, m.model().config().vocabulary()).toArray());
                requests.add(length == 6 ? r.withSampling(SamplingParams.draw(1.1f, 40).withTopP(0.95f)) : r);
            }
            return Serving.continuations(d, requests, 6);
        }
    }

    @Test
    void continuations(@TempDir Path directory) throws Exception {
        try (OpenModel m = OpenModel.open(new Fixture("llama").write(directory), Families.registry())) {
            List<int[]> expected = continuations(m, CpuJudge.open());
            List<int[]> actual = continuations(m, new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED)));
            for (int i = 0; i < expected.size(); i++) {
                assertArrayEquals(expected.get(i), actual.get(i), "row " + i);
            }
        }
    }
}
