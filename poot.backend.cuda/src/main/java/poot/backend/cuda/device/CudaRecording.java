package poot.backend.cuda.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import poot.api.executor.ExecutorException;
import poot.backend.cuda.ffi.CudaException;
import poot.backend.cuda.ffi.DriverGraph;
import poot.backend.cuda.ffi.PrimaryContext;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;

/** Commands as a CUDA graph. Commands between two barriers wait for those before the first and for nothing else. */
final class CudaRecording implements Recording {
    private final CudaDevice device;
    private final DriverGraph.Runnable graph;

    private CudaRecording(CudaDevice device, DriverGraph.Runnable graph) {
        this.device = device;
        this.graph = graph;
    }

    /** Builds the graph of checked commands in the current context. */
    static CudaRecording of(CudaDevice device, PrimaryContext context, List<Command> commands) throws CudaException {
        try (DriverGraph graph = DriverGraph.create()) {
            List<DriverGraph.Node> before = List.of();
            List<DriverGraph.Node> together = new ArrayList<>();
            for (Command c : commands) {
                if (c.after() && !together.isEmpty()) {
                    // Many that wait for many are as many edges as both multiplied; through a meeting point, added.
                    before = together.size() == 1 ? List.copyOf(together) : List.of(graph.meet(together));
                    together.clear();
                }
                together.add(add(graph, context, before, c));
            }
            return new CudaRecording(device, graph.instantiate());
        }
    }

    private static DriverGraph.Node add(DriverGraph graph, PrimaryContext context, List<DriverGraph.Node> before, Command command)
            throws CudaException {
        return switch (command) {
            case Launch l -> launch(graph, before, l);
            case Command.Copy c ->
                graph.copy(before, context, c.to().address() + c.toOffset(), c.from().address() + c.fromOffset(), c.bytes());
            case Command.Fill f -> graph.clear(before, context, f.to().address() + f.offset(), f.bytes());
        };
    }

    private static DriverGraph.Node launch(DriverGraph graph, List<DriverGraph.Node> before, Launch launch) throws CudaException {
        CudaKernel kernel = (CudaKernel) launch.kernel();
        Grid g = launch.grid();
        try (Arena arena = Arena.ofConfined()) {
            List<MemorySegment> arguments = launch.arguments().stream().map(a -> switch (a) {
                case Argument.Memory m -> arena.allocateFrom(ValueLayout.JAVA_LONG, m.address());
                case Argument.Int i -> arena.allocateFrom(ValueLayout.JAVA_INT, i.value());
                case Argument.Float f -> arena.allocateFrom(ValueLayout.JAVA_FLOAT, f.value());
            }).toList();
            return graph.kernel(before, kernel.module(), new DriverGraph.Shape(g.x(), g.y(), g.z(), kernel.kernel().workgroup()),
                    kernel.sharedBytes(), arguments);
        }
    }

    @Override
    public void run() throws ExecutorException {
        device.run(this);
    }

    DriverGraph.Runnable graph() {
        return graph;
    }

    @Override
    public void close() {
        device.release(this);
    }
}
