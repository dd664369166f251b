package poot.parity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
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

/** On the kernels of devices, interpreted, what a row gives does not depend on the rows beside it, nor on how its prompt was cut. */
class CompanyDeviceTest {
    @TempDir
    private Path directory;

    private void check(String name, Company company) throws Exception {
        try (OpenModel m = OpenModel.open(new Fixture(name).write(directory), Families.registry())) {
            company.isNoMatter(name, m, new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma2", "bloom"})
    void tokensOfEightRows(String name) throws Exception {
        check(name, new Company(8, 5, 2));
    }

    /** Prompts of two to eight tokens fed together, each in one pass of its own tokens. */
    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma2", "bloom"})
    void promptsOfEightRows(String name) throws Exception {
        check(name, new Company(8, 8, 1, 8));
    }

    /** A prompt fed in pieces of eight gives the bits it gives in one. */
    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma2", "bloom"})
    void promptsInPieces(String name) throws Exception {
        DriverOptions options = DriverOptions.DEFAULT.withRows(1).withCapacity(64).withPrefillChunk(32).withHeads(EnumSet.of(HeadKind.LOGITS));
        try (OpenModel m = OpenModel.open(new Fixture(name).write(directory), Families.registry());
                Executor device = new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED));
                ServingDriver d = Serving.open(m.handle(), device, options)) {
            SeqRequest prompt = SeqRequest.of(new Random(6).ints(30, 1, m.model().config().vocabulary()).toArray());
            assertArrayEquals(Serving.logits(d, prompt, 32), Serving.logits(d, prompt, 8), name);
        }
    }

    @Test
    void tokensOf33Rows() throws Exception {
        check("llama", new Company(33, 3, 1));
    }
}
