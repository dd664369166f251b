package poot.assembly;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Weight;
import poot.api.model.KvForm;
import poot.api.model.KvLayout;
import poot.api.model.Model;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.kernel.device.Command;
import poot.core.kernel.execute.DeviceExecutor;

/** Tells a device the programs of a model. */
final class Telling {
    private Telling() {}

    /** The programs of a model worth having kernels for: a prompt, a token, rows of both, and where there is one a pass. */
    static List<StepSpec> programs(Model model, int prompt, int rows, int capacity) {
        List<StepSpec> out = new ArrayList<>();
        if (model.schema().program(ProgramName.STEP).isPresent()) {
            StepShape own = StepShape.step(1, 1, capacity).withLayout(new KvLayout.Contiguous(1)).withKv(KvForm.F16);
            StepShape shared = own.withLayout(new KvLayout.Paged(rows * capacity / 16, 16, rows));
            for (StepShape s : List.of(own, own.withTokens(prompt), shared.withRows(rows), shared.withRows(rows).withTokens(prompt))) {
                out.add(StepSpec.of(ProgramName.STEP, s));
            }
        }
        if (model.schema().program(ProgramName.ENCODE).isPresent()) {
            out.add(StepSpec.of(ProgramName.ENCODE, StepShape.encode(1, prompt)));
            out.add(StepSpec.of(ProgramName.ENCODE, StepShape.encode(rows, prompt)));
        }
        return out;
    }

    /** Compiles a program for a device; what the device is told to do in a run. */
    static List<Command> tell(DryDevice device, Model model, Map<Role, Weight> weights, StepSpec spec) throws Exception {
        DeviceExecutor executor = new DeviceExecutor(device);
        Graph graph = model.trace(spec, TraceLimits.DEFAULT);
        Program program = Compiler.compile(graph, weights, executor.target(), CompileOptions.VERIFIED);
        Map<String, TensorType> types = new HashMap<>();
        program.graph().states().forEach(c -> types.put(c.name(), c.before().type()));
        try (Executable executable = executor.load(weights); Entry entry = executable.addEntry(program);
                States states = executable.allocate(types)) {
            entry.run(states);
            return device.recorded();
        }
    }
}
