package poot.matrix;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import poot.api.driver.DriverOptions;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.assembly.Assembled;
import poot.assembly.DryDevice;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.driver.ModelHandle;
import poot.core.kernel.execute.DeviceExecutor;

/** NVIDIA's assembler takes the kernels of every format, and of everything that a driver may be asked for. */
class FeatureAssemblyTest {
    @Test
    void features() throws Exception {
        for (DryDevice device : Assembled.devices()) {
            try (ModelHandle model = FeatureRows.model()) {
                for (Map.Entry<String, DriverOptions> feature : FeatureRows.features().entrySet()) {
                    assertTrue(FeatureRows.prepared(model, new DeviceExecutor(device), feature.getValue()).runs(), feature.getKey());
                }
            }
            Assembled.assemble("features", device);
        }
    }

    @Test
    void formats() throws Exception {
        Graph graph = FormatRows.graph();
        for (DryDevice device : Assembled.devices()) {
            DeviceExecutor executor = new DeviceExecutor(device);
            for (StoredMatrix format : StoredMatrix.all()) {
                Map<Role, Weight> weights = Map.of(FormatRows.W, format.weight());
                var program = Compiler.compile(graph, weights, executor.target(), CompileOptions.DEFAULT);
                try (Executable executable = executor.load(weights); Entry entry = executable.addEntry(program)) {
                    entry.program();
                }
            }
            Assembled.assemble("formats", device);
        }
    }
}
