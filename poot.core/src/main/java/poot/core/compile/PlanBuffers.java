package poot.core.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.BufferPlan;
import poot.api.executor.BufferPlan.Place;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Value;

/**
 * {@code values -> places}: leaves lie where they are, a reshape where its operand lies, a scatter into a state whose
 * old value nobody reads later in the state, a weight read and what only an elementwise part needs inside their kernels,
 * and everything else in one arena in which two values share bytes only if their lives do not meet. A value lives from
 * the kernel that makes it to the last that reads it, so that nothing a kernel reads or makes overlaps; outputs, validations and the ends of states live to the end. Every offset is a multiple of
 * {@value BufferPlan#ALIGNMENT} bytes.
 *
 * <p>A state whose end is not in its own buffer is copied there by the executor after the last kernel.
 */
final class PlanBuffers {
    private static final long LARGEST = 1L << 50;

    private final Graph graph;
    private final List<Kernel> kernels;
    private final Liveness live;
    private final Map<Integer, Place> places = new HashMap<>();
    private final FreeList arena = new FreeList(BufferPlan.ALIGNMENT);

    private PlanBuffers(Graph graph, List<Kernel> kernels) {
        this.graph = graph;
        this.kernels = kernels;
        this.live = new Liveness(graph, kernels);
    }

    /** The plan of a grouped graph. */
    public static BufferPlan of(Graph graph, List<Kernel> kernels) throws CompileException {
        PlanBuffers plan = new PlanBuffers(graph, kernels);
        plan.leaves();
        plan.states();
        plan.arena();
        plan.views();
        return new BufferPlan(plan.places, plan.arena.size());
    }

    private void leaves() {
        for (Equation e : graph.equations()) {
            for (Value v : e.outputs()) {
                places.put(v.id(), leaf(e.op()));
            }
        }
        for (Kernel k : kernels) {
            k.outputs().forEach(v -> places.remove(v.id()));
            Temporaries.inMemory(k, live::definition).forEach(v -> places.remove(v.id()));
        }
    }

    /** The place of a value that is not written to memory: what stays inside its kernels is the rest. */
    private static Place leaf(Op op) {
        return switch (op) {
            case Op.Const c -> new Place.WeightBytes();
            case Op.Slot s -> new Place.SlotBytes(s.name());
            case Op.State s -> new Place.StateBytes(s.name());
            case Op.Literal l -> new Place.LiteralBytes();
            default -> new Place.Internal();
        };
    }

    private void states() throws CompileException {
        for (Graph.Carried c : graph.states()) {
            if (live.definition(live.root(c.after())).op() instanceof Op.State s && !s.name().equals(c.name())) {
                throw new CompileException(new CompileException.CrossedStates(c.name(), s.name()));
            }
            for (Value v : live.inPlace(c)) {
                places.put(v.id(), new Place.StateBytes(c.name()));
            }
        }
    }

    private void arena() throws CompileException {
        Map<Integer, List<Place.Arena>> ends = new HashMap<>();
        for (int k = 0; k < kernels.size(); k++) {
            List<Value> made = new ArrayList<>(kernels.get(k).outputs());
            made.addAll(Temporaries.inMemory(kernels.get(k), live::definition));
            for (Value v : made) {
                if (!places.containsKey(v.id())) {
                    Place.Arena place = take(v);
                    places.put(v.id(), place);
                    ends.computeIfAbsent(live.lastUse(v), x -> new ArrayList<>()).add(place);
                }
            }
            List<Place.Arena> over = ends.remove(k);
            if (over != null) {
                over.forEach(p -> arena.give(p.offset(), p.bytes()));
            }
        }
    }

    private Place.Arena take(Value v) throws CompileException {
        if (v.shape().count() > LARGEST || arena.size() > LARGEST) {
            throw new CompileException(new CompileException.TooLarge(v.toString(), v.shape().count()));
        }
        long bytes = v.type().bytes();
        return new Place.Arena(arena.take(bytes), bytes);
    }

    private void views() {
        for (Equation e : graph.equations()) {
            if (e.op() instanceof Op.Reshape) {
                places.put(e.output().id(), new Place.SameAs(live.root(e.output()).id()));
            }
        }
    }
}
