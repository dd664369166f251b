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
    /** Bytes that one node copies or clears: a driver takes its extent for a pitch, which ends below 2 GiB. */
    static final long LONGEST = 1L << 30;

    /** A part of some bytes. */
    record Piece(long at, long bytes) {}

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
                add(graph, context, before, c, together);
            }
            return new CudaRecording(device, graph.instantiate());
        }
    }

    /** Adds a command to a graph, and its nodes to {@code nodes}. */
    private static void add(DriverGraph graph, PrimaryContext context, List<DriverGraph.Node> before, Command command,
            List<DriverGraph.Node> nodes) throws CudaException {
        switch (command) {
            case Launch l -> nodes.add(launch(graph, before, l));
            case Command.Copy c -> {
                long to = c.to().address() + c.toOffset();
                long from = c.from().address() + c.fromOffset();
                for (Piece p : pieces(c.bytes())) {
                    nodes.add(graph.copy(before, context, to + p.at(), from + p.at(), p.bytes()));
                }
            }
            case Command.Fill f -> {
                long to = f.to().address() + f.offset();
                for (Piece p : pieces(f.bytes())) {
                    nodes.add(graph.clear(before, context, to + p.at(), p.bytes()));
                }
            }
        }
    }

    /** Bytes in pieces of at most {@link #LONGEST}. */
    static List<Piece> pieces(long bytes) {
        List<Piece> out = new ArrayList<>();
        for (long at = 0; at < bytes; at += LONGEST) {
            out.add(new Piece(at, Math.min(LONGEST, bytes - at)));
        }
        return out;
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
