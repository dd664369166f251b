package poot.parity;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.Program;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.assembly.Assembled;
import poot.assembly.DryDevice;
import poot.core.compile.Compiler;
import poot.core.kernel.execute.DeviceExecutor;
import poot.oracle.Tensor;
import poot.step.Mode;

/** Judges nothing: tells devices of every capability each graph, and has all that they were told assembled. */
final class Assembling extends Judge {
    private List<DryDevice> devices = List.of();

    Assembling() {
        super(() -> {
            throw new ExecutorException(new ExecutorException.NotAvailable("cuda", "nothing is run here"));
        });
    }

    /** Begins with devices that were told nothing. */
    void begin() {
        devices = Assembled.devices();
    }

    @Override
    void graph(String what, Graph g, Map<Role, Weight> weights, Map<String, Tensor> in, float tolerance) throws Exception {
        for (DryDevice device : devices) {
            DeviceExecutor executor = new DeviceExecutor(device);
            Program p = Compiler.compile(g, weights, executor.target(), Mode.compile());
            try (Executable executable = executor.load(weights); Entry entry = executable.addEntry(p)) {
                entry.program();
            }
        }
    }

    /** Assembles all of it. */
    void end(String name) throws IOException {
        for (DryDevice device : devices) {
            Assembled.assemble(name, device);
        }
    }
}
