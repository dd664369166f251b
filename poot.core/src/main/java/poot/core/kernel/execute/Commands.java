package poot.core.kernel.execute;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceMemory;
import poot.core.kernel.device.Launch;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.plan.Actual;
import poot.core.kernel.plan.Home;
import poot.core.kernel.plan.Kernels;
import poot.core.kernel.plan.Plan;
import poot.core.kernel.plan.Span;
import poot.core.kernel.plan.Step;

/** The steps of a plan as commands over real memory, kernels compiled. */
final class Commands {
    private final Plan plan;
    private final EntryMemory memory;
    private final Map<Generator, CompiledKernel> compiled = new HashMap<>();

    private Commands(Plan plan, EntryMemory memory) {
        this.plan = plan;
        this.memory = memory;
    }

    /** Compiles every kernel of a plan. */
    static Commands compile(Device device, Plan plan, Kernels kernels, EntryMemory memory) throws ExecutorException {
        Commands out = new Commands(plan, memory);
        for (Step s : plan.steps()) {
            if (s instanceof Step.Call c && !out.compiled.containsKey(c.generator())) {
                out.compiled.put(c.generator(), device.compile(kernels.of(c.generator())));
            }
        }
        return out;
    }

    /** The commands over the buffers of states. */
    List<Command> over(Map<String, DeviceMemory> states) {
        List<Command> out = new ArrayList<>();
        for (int i = 0; i < plan.steps().size(); i++) {
            boolean after = plan.waits().get(i);
            out.add(switch (plan.steps().get(i)) {
                case Step.Call c -> new Launch(compiled.get(c.generator()),
                        c.actuals().stream().map(a -> argument(a, states)).toList(), c.grid(), after);
                case Step.Copy c -> new Command.Copy(memory(c.from(), states), c.from().offset(), memory(c.to(), states), c.to().offset(),
                        c.from().bytes(), after);
                case Step.Zero z -> new Command.Fill(memory(z.to(), states), z.to().offset(), z.to().bytes(), after);
            });
        }
        return out;
    }

    private Argument argument(Actual a, Map<String, DeviceMemory> states) {
        return switch (a) {
            case Span s -> Argument.of(memory(s, states), s.offset(), s.bytes());
            case Actual.Scalar s -> s.value();
        };
    }

    private DeviceMemory memory(Span s, Map<String, DeviceMemory> states) {
        return switch (s.home()) {
            case Home.Area a -> memory.area(a);
            case Home.State n -> states.get(n.name());
            case Home.Resident r -> r.memory();
        };
    }
}
