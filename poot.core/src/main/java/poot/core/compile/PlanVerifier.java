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
 * The rules every program keeps: each equation that is not a leaf, a view or a weight read is in exactly one kernel; a
 * kernel of several is of a form that {@link Program} names, and gives out whatever another reads; every value has a
 * place; arena places are aligned, inside the arena and apart while both live; no kernel reads a
 * state's old bytes after they were written.
 */
final class PlanVerifier {
    private final Program program;
    private final String after;
    private final Set<Value> outputs = new HashSet<>();
    private final Liveness live;

    private PlanVerifier(Program program, String after) {
        this.program = program;
        this.after = after;
        program.kernels().forEach(k -> outputs.addAll(k.outputs()));
        this.live = new Liveness(program.graph(), program.kernels());
    }

    /** Checks a program that {@code after} made; a fault is {@link CompileException.IllFormed}. */
    public static void check(Program program, String after) throws CompileException {
        PlanVerifier v = new PlanVerifier(program, after);
        v.coverage();
        for (Kernel k : program.kernels()) {
            v.order(k);
            v.form(k);
        }
        v.arena();
        v.states();
    }

    private void coverage() throws CompileException {
        Map<Integer, Integer> made = new HashMap<>();
        for (Kernel k : program.kernels()) {
            for (Value v : Temporaries.made(k, live::definition)) {
                require(made.merge(v.id(), 1, Integer::sum) == 1, v + " is made by two kernels");
                require(k.outputs().contains(v) != place(v) instanceof Place.Internal || place(v) instanceof Place.Arena,
                        v + " lies in " + place(v));
            }
            for (Value v : k.outputs()) {
                require(made.containsKey(v.id()), v + " is an output of a kernel that does not make it");
            }
        }
        results();
        for (Equation e : program.graph().equations()) {
            boolean free = GroupKernels.resident(e.op());
            for (Value v : e.outputs()) {
                require(place(v) != null, v + " has no place");
                boolean read = place(v) instanceof Place.Internal && weightRead(e);
                require((free || read) != made.containsKey(v.id()), v + " is made by " + made.get(v.id()) + " kernels");
            }
        }
    }

    /** What the graph gives back lies in memory when the last kernel is done. */
    private void results() throws CompileException {
        List<Value> results = new ArrayList<>();
        program.graph().outputs().forEach(o -> results.add(live.root(o.value())));
        program.graph().states().forEach(c -> results.add(live.root(c.after())));
        program.graph().validations().forEach(v -> results.add(live.root(v.ok())));
        for (Value v : results) {
            boolean rests = GroupKernels.resident(live.definition(v).op());
            require(rests || outputs.contains(v), v + " is a result of the graph but no kernel gives it out");
        }
    }

    private Place place(Value v) {
        return program.buffers().places().get(v.id());
    }

    private boolean constant(Value v) {
        return live.definition(v).op() instanceof Op.Const;
    }

    /** Every operand of a kernel is an input or made before, and what others read is an output. */
    private void order(Kernel k) throws CompileException {
        Set<Value> known = new HashSet<>(k.inputs());
        for (Equation e : k.equations()) {
            for (Value v : e.inputs()) {
                require(known.contains(v), v + " is read in a kernel before it is made: " + e);
            }
            known.addAll(e.outputs());
        }
        for (Value v : k.inputs()) {
            Value root = live.root(v);
            boolean rests = GroupKernels.resident(live.definition(root).op());
            require(rests || live.made(root) && outputs.contains(root), v + " is read but no kernel gives it out");
        }
    }

    /** The forms of {@link Program} for kernels of several equations. */
    private void form(Kernel k) throws CompileException {
        List<Equation> main = new ArrayList<>();
        for (Equation e : k.equations()) {
            boolean read = weightRead(e) && place(e.output()) instanceof Place.Internal;
            if (!(e.op() instanceof Op.Reshape) && !read) {
                main.add(e);
            }
        }
        if (main.size() == 1) {
            require(k.rows() == 1, "a kernel of one equation in " + k.rows() + " rows: " + k);
            return;
        }
        boolean holds = switch (k.kind()) {
            case POINTWISE, CLAIMED -> main.stream().allMatch(e -> Elementwise.is(e.op())) && Elementwise.common(main)
                    .filter(s -> k.outputs().stream().allMatch(v -> v.shape().equals(s))).isPresent();
            case CONTRACTION -> ContractionForm.holds(main, v -> constant(v) || weightRead(live.definition(v)), k.outputs());
            case ROW -> RowForm.rows(main, live::root).filter(n -> n % k.rows() == 0).isPresent();
            case NONE, MOVEMENT, SPECIAL -> false;
        };
        require(holds && (k.kind() == Kernel.Kind.ROW || k.rows() == 1), "the equations do not form a kernel: " + k);
    }

    private boolean weightRead(Equation e) {
        return (e.op() instanceof Op.PackedDecode || e.op() instanceof Op.Cast) && constant(e.inputs().getFirst());
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
            for (Value v : Temporaries.made(program.kernels().get(k), live::definition)) {
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

    private void require(boolean holds, String rule) throws CompileException {
        if (!holds) {
            throw new CompileException(new CompileException.IllFormed(after, rule, ""));
        }
    }
}
