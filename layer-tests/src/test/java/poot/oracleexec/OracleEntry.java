package poot.oracleexec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.BufferPlan;
import poot.api.executor.BufferPlan.Place;
import poot.api.executor.Entry;
import poot.api.executor.ExecutorException;
import poot.api.executor.Kernel;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Value;
import poot.oracle.Oracle;
import poot.oracle.Tensor;

/** Runs a program kernel by kernel: operands read from their places, evaluated, results written to theirs. */
final class OracleEntry implements Entry {
    /** A kernel as a graph of its own whose slots are the values it reads. */
    private record Piece(Graph graph, List<Value> reads, List<Value> writes) {}

    private final Program program;
    private final Oracle oracle;
    private final List<Piece> pieces;
    private final MemorySegment memory;
    private final Map<String, MemorySegment> slots = new HashMap<>();
    private final Map<Integer, Equation> definition = new HashMap<>();
    private final Map<String, MemorySegment> outputs = new HashMap<>();

    OracleEntry(Program program, Oracle oracle, Arena arena) {
        this.program = program;
        this.oracle = oracle;
        this.memory = arena.allocate(program.buffers().arenaBytes(), BufferPlan.ALIGNMENT);
        program.graph().slots().forEach(s -> slots.put(s.name(), arena.allocate(s.type().bytes(), BufferPlan.ALIGNMENT)));
        program.graph().equations().forEach(e -> e.outputs().forEach(v -> definition.put(v.id(), e)));
        program.graph().outputs().forEach(o -> outputs.put(o.name(), arena.allocate(o.value().type().bytes())));
        this.pieces = program.kernels().stream().map(this::piece).toList();
    }

    long bytes() {
        return memory.byteSize() + slots.values().stream().mapToLong(MemorySegment::byteSize).sum();
    }

    private Piece piece(Kernel k) {
        List<Equation> equations = new ArrayList<>();
        List<Value> reads = new ArrayList<>();
        for (Value v : k.inputs()) {
            Op op = definition.get(v.id()).op();
            if (op instanceof Op.Const || op instanceof Op.Literal) {
                equations.add(definition.get(v.id()));
            } else {
                reads.add(v);
                equations.add(new Equation(new Op.Slot("v" + v.id(), v.type()), List.of(), List.of(v), ""));
            }
        }
        equations.addAll(k.equations());
        List<Graph.Output> results = k.outputs().stream().map(v -> new Graph.Output("v" + v.id(), v)).toList();
        return new Piece(new Graph(equations, results, List.of(), List.of()), reads, k.outputs());
    }

    @Override
    public Program program() {
        return program;
    }

    @Override
    public MemorySegment input(String slot) {
        return slots.get(slot);
    }

    @Override
    public MemorySegment output(String name) {
        return outputs.get(name).asReadOnly();
    }

    @Override
    public void run(States states) throws ExecutorException {
        if (!(states instanceof HostStates host)) {
            throw new ExecutorException(new ExecutorException.Mismatch("states of another backend"));
        }
        for (Piece p : pieces) {
            Map<String, Tensor> in = new HashMap<>();
            for (Value v : p.reads()) {
                in.put("v" + v.id(), Transfer.tensor(v.type(), bytes(v, host)));
            }
            Oracle.Result result = oracle.run(p.graph(), in, Map.of());
            for (Value v : p.writes()) {
                Transfer.write(result.output("v" + v.id()), bytes(v, host));
            }
        }
        validate(host);
        finish(host);
    }

    private void validate(HostStates host) throws ExecutorException {
        for (Graph.Validation v : program.graph().validations()) {
            int[] ok = Transfer.tensor(v.ok().type(), bytes(v.ok(), host)).words();
            List<Integer> rows = new ArrayList<>();
            for (int row = 0; row < ok.length; row++) {
                if (ok[row] == 0) {
                    rows.add(row);
                }
            }
            if (!rows.isEmpty()) {
                throw new ExecutorException(new ExecutorException.Invalid(v.what(), rows));
            }
        }
    }

    /** Outputs become readable; states that did not end in their own buffer are copied there. */
    private void finish(HostStates host) throws ExecutorException {
        for (Graph.Output o : program.graph().outputs()) {
            outputs.get(o.name()).copyFrom(bytes(o.value(), host).asSlice(0, o.value().type().bytes()));
        }
        for (Graph.Carried c : program.graph().states()) {
            MemorySegment buffer = host.buffer(c.name(), c.after().type());
            MemorySegment end = bytes(c.after(), host);
            if (end.address() != buffer.address()) {
                buffer.copyFrom(end.asSlice(0, buffer.byteSize()));
            }
        }
    }

    /** The bytes of a value; a literal's or a weight's are made on the spot. */
    private MemorySegment bytes(Value v, HostStates host) throws ExecutorException {
        return switch (program.buffers().places().get(v.id())) {
            case Place.Arena a -> memory.asSlice(a.offset(), a.bytes());
            case Place.SlotBytes s -> slots.get(s.slot());
            case Place.StateBytes s -> host.buffer(s.state(), definition.get(v.id()).output().type());
            case Place.SameAs s -> bytes(definition.get(s.value()).outputs().stream()
                    .filter(o -> o.id() == s.value()).findFirst().orElseThrow(), host);
            case Place.WeightBytes w -> constant(v);
            case Place.LiteralBytes l -> constant(v);
            case Place.Internal i -> throw new ExecutorException(new ExecutorException.Mismatch(v + " is in no memory"));
        };
    }

    private MemorySegment constant(Value v) {
        Graph alone = new Graph(List.of(definition.get(v.id())), List.of(new Graph.Output("v", v)), List.of(), List.of());
        return Transfer.bytes(oracle.run(alone, Map.of(), Map.of()).output("v"));
    }

    @Override
    public void close() {
        // the executable's arena owns the buffers
    }
}
