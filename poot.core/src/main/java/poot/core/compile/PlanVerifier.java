package poot.core.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.executor.BufferPlan;
import poot.api.executor.BufferPlan.Place;
import poot.api.executor.Kernel;
import poot.api.executor.Program;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Value;

/**
 * The rules every program keeps: each equation that is not a leaf, a view or a weight read is in exactly one kernel;
 * every value has a place; arena places are aligned, inside the arena and apart while both live; no kernel reads a
 * state's old bytes after they were written.
 */
final class PlanVerifier {
    private final Program program;
    private final Liveness live;

    private PlanVerifier(Program program) {
        this.program = program;
        this.live = new Liveness(program.graph(), program.kernels());
    }

    /** Checks a program; a fault is {@link CompileException.IllFormed}. */
    public static void check(Program program) throws CompileException {
        PlanVerifier v = new PlanVerifier(program);
        v.coverage();
        v.arena();
        v.states();
    }

    private void coverage() throws CompileException {
        Map<Integer, Integer> made = new HashMap<>();
        for (Kernel k : program.kernels()) {
            for (Value v : k.outputs()) {
                require(made.merge(v.id(), 1, Integer::sum) == 1, v + " is made by two kernels");
            }
        }
        for (Equation e : program.graph().equations()) {
            for (Value v : e.outputs()) {
                Place p = program.buffers().places().get(v.id());
                require(p != null, v + " has no place");
                boolean rest = GroupKernels.resident(e.op()) || p instanceof Place.Internal;
                require(rest != made.containsKey(v.id()), v + " is made by " + made.get(v.id()) + " kernels");
            }
        }
    }

    private record Interval(Value value, Place.Arena place, int from, int to) {
        boolean meets(Interval o) {
            return from <= o.to && o.from <= to
                    && place.offset() < o.place.offset() + o.place.bytes() && o.place.offset() < place.offset() + place.bytes();
        }
    }

    private void arena() throws CompileException {
        List<Interval> open = new ArrayList<>();
        for (int k = 0; k < program.kernels().size(); k++) {
            int now = k;
            open.removeIf(i -> i.to < now);
            for (Value v : program.kernels().get(k).outputs()) {
                if (!(program.buffers().places().get(v.id()) instanceof Place.Arena place)) {
                    continue;
                }
                Interval next = new Interval(v, place, k, live.lastUse(v));
                require(place.offset() % BufferPlan.ALIGNMENT == 0, v + " is not aligned");
                require(place.bytes() == v.type().bytes(), v + " has " + place.bytes() + " bytes");
                require(place.offset() + place.bytes() <= program.buffers().arenaBytes(), v + " lies outside the arena");
                for (Interval other : open) {
                    require(!other.meets(next), v + " overlaps " + other.value);
                }
                open.add(next);
            }
        }
    }

    private void states() throws CompileException {
        Map<String, Value> current = new HashMap<>();
        program.graph().equations().stream().filter(e -> e.op() instanceof Op.State)
                .forEach(e -> current.put(((Op.State) e.op()).name(), e.output()));
        for (Kernel k : program.kernels()) {
            Set<Value> read = new HashSet<>();
            k.inputs().forEach(v -> read.add(live.root(v)));
            for (Value v : read) {
                if (program.buffers().places().get(v.id()) instanceof Place.StateBytes s) {
                    require(current.get(s.state()).equals(v), v + " of state " + s.state() + " is read after it was overwritten");
                }
            }
            for (Value v : k.outputs()) {
                if (program.buffers().places().get(v.id()) instanceof Place.StateBytes s) {
                    current.put(s.state(), v);
                }
            }
        }
    }

    private static void require(boolean holds, String rule) throws CompileException {
        if (!holds) {
            throw new CompileException(new CompileException.IllFormed("planning", rule, ""));
        }
    }
}
