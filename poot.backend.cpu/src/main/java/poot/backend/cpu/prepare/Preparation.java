package poot.backend.cpu.prepare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.executor.BufferPlan.Place;
import poot.api.executor.ExecutorException;
import poot.api.executor.Kernel;
import poot.api.executor.Program;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.kernel.move.BlockCopy;
import poot.backend.cpu.kernel.pointwise.Expression;
import poot.backend.cpu.kernel.weight.WeightDecode;
import poot.backend.cpu.kernel.weight.Copies;
import poot.backend.cpu.memory.Memory;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;

/**
 * Makes the steps of a program. A kernel of several equations becomes one step by {@link FusedSteps}; any other kernel
 * one for each of its equations, where a weight read by a product or a gather is absorbed into that step.
 */
public final class Preparation {
    private final Program program;
    private final Memory memory;
    private final int workers;
    private final Places places;
    private final Optional<Emitter> emitter;
    private final Copies copies;
    private final Workspace workspace = new Workspace();
    private final List<Step> steps = new ArrayList<>();

    private Preparation(Program program, Weights weights, Copies copies, Memory memory, int workers, Optional<Emitter> emitter)
            throws ExecutorException {
        this.program = program;
        this.memory = memory;
        this.workers = workers;
        this.emitter = emitter;
        this.copies = copies;
        this.places = new Places(program, weights, memory);
    }

    /**
     * Prepares {@code program} for a team of {@code workers}; everything it holds comes from {@code memory}, its code from
     * {@code emitter} where there is one, and {@code copies} of weights where its kernels want them.
     */
    public static Prepared prepare(
            Program program, Weights weights, Copies copies, Memory memory, int workers, Optional<Emitter> emitter)
            throws ExecutorException {
        return new Preparation(program, weights, copies, memory, workers, emitter).prepared();
    }

    private Prepared prepared() throws ExecutorException {
        for (Kernel k : program.kernels()) {
            kernel(k);
        }
        Graph graph = program.graph();
        Map<String, Prepared.Bound> outputs = new HashMap<>();
        for (Graph.Output o : graph.outputs()) {
            outputs.put(o.name(), new Prepared.Bound(region(o.value()), o.value().type()));
        }
        List<Prepared.Check> checks = new ArrayList<>();
        for (Graph.Validation v : graph.validations()) {
            checks.add(new Prepared.Check(v.what(), region(v.ok()), v.ok().shape().dim(0)));
        }
        carry(graph);
        workspace.allocate(memory, workers);
        return new Prepared(steps, places.slots(), outputs, places.states(), checks, workspace.heapBytes(workers));
    }

    /** States whose value at the end lies elsewhere are copied home, by way of staging where that is another state. */
    private void carry(Graph graph) throws ExecutorException {
        List<Step> home = new ArrayList<>();
        for (Graph.Carried c : graph.states()) {
            Region before = region(c.before());
            Region after = region(c.after());
            if (after.sameAs(before)) {
                continue;
            }
            BlockCopy.Blocks all = BlockCopy.Blocks.whole(c.after().type().bytes());
            boolean other = places.states().values().stream().anyMatch(s -> s.region().sameAs(after));
            if (other) {
                Region staging = Region.of(memory.allocate("staging of " + c.name(), all.bytes()), 0);
                steps.add(new BlockCopy(after, staging, all));
                home.add(new BlockCopy(staging, before, all));
            } else {
                home.add(new BlockCopy(after, before, all));
            }
        }
        steps.addAll(home);
    }

    private void kernel(Kernel k) throws ExecutorException {
        workspace.nextKernel();
        List<Equation> rest = new ArrayList<>();
        for (Equation e : k.equations()) {
            if (!isLeaf(e) && !isAbsorbed(e)) {
                rest.add(e);
            }
        }
        List<Equation> main = rest.stream().filter(e -> !(e.op() instanceof Op.Reshape)).toList();
        if (main.size() < 2 || !new FusedSteps(this, k, main).add()) {
            for (Equation e : rest) {
                equation(e);
            }
        }
    }

    private static boolean isLeaf(Equation e) {
        return e.op() instanceof Op.Const || e.op() instanceof Op.Slot || e.op() instanceof Op.State
                || e.op() instanceof Op.Literal || e.op() instanceof Op.Param;
    }

    /** A weight read that lives in no memory: whoever consumes it reads the weight. */
    private boolean isAbsorbed(Equation e) {
        return (e.op() instanceof Op.PackedDecode || e.op() instanceof Op.Cast)
                && places.weight(e.output()).isPresent()
                && program.buffers().places().get(e.output().id()) instanceof Place.Internal;
    }

    // ---- what the steps of a kernel need ----

    /** Elementwise equations as one step; {@code tiled} among their operands come in tiles, where it follows products. */
    Expression expression(List<Equation> group, List<Value> results, Shape shape, List<Value> tiled) throws ExecutorException {
        Map<Integer, Region> operands = new HashMap<>();
        List<Integer> inside = group.stream().map(e -> e.output().id()).toList();
        for (Equation e : group) {
            for (Value v : e.inputs()) {
                if (!inside.contains(v.id()) && !tiled.contains(v) && !operands.containsKey(v.id())) {
                    operands.put(v.id(), region(v));
                }
            }
        }
        Map<Value, Region> stored = new LinkedHashMap<>();
        for (Value v : results) {
            stored.put(v, result(v));
        }
        return new Expression(group, shape, v -> operands.get(v.id()), stored, tiled, workspace);
    }

    /** Adds the steps of one equation. */
    void equation(Equation e) throws ExecutorException {
        if (Expression.isPointwise(e.op())) {
            steps.add(expression(List.of(e), e.outputs(), e.output().shape(), List.of()));
        } else {
            new EquationSteps(this, e).add();
        }
    }

    /** What adds steps. */
    interface Adding {
        void add() throws ExecutorException;
    }

    /** The steps something would add. */
    List<Step> collect(Adding what) throws ExecutorException {
        int before = steps.size();
        what.add();
        List<Step> added = steps.subList(before, steps.size());
        List<Step> out = List.copyOf(added);
        added.clear();
        return out;
    }

    /** Whether no memory is set aside for a value. */
    boolean isInternal(Value v) {
        return program.buffers().places().get(v.id()) instanceof Place.Internal;
    }

    void add(Step step) {
        steps.add(step);
    }

    Workspace workspace() {
        return workspace;
    }

    Optional<Emitter> emitter() {
        return emitter;
    }

    Copies copies() {
        return copies;
    }

    int workers() {
        return workers;
    }

    Optional<Weight> weight(Value v) {
        return places.weight(v);
    }

    /** The region a result is written to. */
    Region result(Value v) throws ExecutorException {
        return places.region(v);
    }

    /** The region of a value to be read; a stored weight is decoded into it first. */
    Region region(Value v) throws ExecutorException {
        Region r = places.region(v);
        Value read = v;
        while (program.buffers().places().get(read.id()) instanceof Place.SameAs) {
            read = places.definition(read).inputs().get(0);
        }
        if (places.isDecoded(read)) {
            steps.add(new WeightDecode(places.weight(read).orElseThrow(), r, workspace));
        }
        return r;
    }
}
