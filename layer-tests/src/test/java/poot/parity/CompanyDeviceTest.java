package poot.parity;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.families.Families;
import poot.fixtures.Fixture;
import poot.golden.OpenModel;

/** On the kernels of devices, interpreted, what a row gives does not depend on the rows beside it. */
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
    void promptsAndTokensOfEightRows(String name) throws Exception {
        check(name, new Company(8, 8, 8, 2));
    }

    @Test
    void tokensOf33Rows() throws Exception {
        check("llama", new Company(33, 3, 1, 1));
    }
}
