package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Unsupported;
import poot.api.executor.Kernel;
import poot.api.executor.Program;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Value;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.generate.pointwise.Expression;
import poot.core.kernel.generate.product.Precision;

/**
 * Makes the steps of a program: slots are brought to the device, the kernels run, states whose end lies elsewhere are
 * copied home, outputs and validations are brought to the host. Within a kernel equations run one after the other, or as
 * one step where they can; elementwise neighbours of one shape are one step. A norm that only the products after it read is
 * part of them.
 */
public final class Planning {
    private final Program program;
    private final Kernels kernels;
    private final Places places;
    private final List<Step> steps = new ArrayList<>();
    private final Map<Integer, Value> rounded = new HashMap<>();
    private final Readers readers;
    private int companies;

    private Planning(Program program, Map<Role, Resident> weights, Kernels kernels) throws ExecutorException {
        this.program = program;
        this.kernels = kernels;
        this.places = new Places(program, weights);
        this.readers = Readers.of(program, places);
    }

    /**
     * The plan of a program.
     *
     * @throws ExecutorException Mismatch where the program and the weights or places do not fit, Unsupported where an
     *     equation has no kernel
     */
    public static Plan of(Program program, Map<Role, Resident> weights, Kernels kernels) throws ExecutorException {
        try {
            return new Planning(program, weights, kernels).plan();
        } catch (ArithmeticException e) {
            throw new ExecutorException(new Unsupported(kernels.limits().backend(), "a program", "extents beyond 2^31"), e);
        }
    }

    private Plan plan() throws ExecutorException {
        if (places.slotBytes() > 0) {
            steps.add(new Step.Copy(new Span(Home.Area.HOST_SLOTS, 0, places.slotBytes()), new Span(Home.Area.SLOTS, 0, places.slotBytes())));
        }
        for (int i = 0; i < program.kernels().size(); i++) {
            int first = steps.size();
            if (normalised(i)) {
                i++;
            } else {
                kernel(program.kernels().get(i), Optional.empty());
            }
            requireFits(program.kernels().get(i), steps.subList(first, steps.size()));
        }
        places.nextKernel();
        carry();
        places.nextKernel();
        Map<String, Span> outputs = new LinkedHashMap<>();
        List<Plan.Check> checks = new ArrayList<>();
        long hosted = handOut(outputs, checks);
        Map<Home.Area, Long> bytes = new EnumMap<>(Home.Area.class);
        bytes.put(Home.Area.ARENA, program.buffers().arenaBytes());
        bytes.put(Home.Area.SCRATCH, places.scratchBytes());
        bytes.put(Home.Area.SLOTS, places.slotBytes());
        bytes.put(Home.Area.HOST_SLOTS, places.slotBytes());
        bytes.put(Home.Area.LITERALS, (long) places.literalBytes().length);
        bytes.put(Home.Area.HOST_OUTPUTS, hosted);
        return new Plan(steps, Hazards.waits(steps, kernels), bytes, places.literalBytes(), places.slots(), outputs, places.states(), checks);
    }

    /** Copies outputs and validations to the host; the bytes they take there. */
    private long handOut(Map<String, Span> outputs, List<Plan.Check> checks) throws ExecutorException {
        long at = 0;
        for (Graph.Output o : program.graph().outputs()) {
            outputs.put(o.name(), handOut(o.value(), at));
            at = Places.aligned(at + o.value().type().bytes());
        }
        for (Graph.Validation v : program.graph().validations()) {
            checks.add(new Plan.Check(v.what(), handOut(v.ok(), at)));
            at = Places.aligned(at + v.ok().type().bytes());
        }
        return at;
    }

    private Span handOut(Value v, long at) throws ExecutorException {
        Span host = new Span(Home.Area.HOST_OUTPUTS, at, v.type().bytes());
        copy(exact(v).span(), host);
        return host;
    }

    /** States whose value at the end lies elsewhere are copied home, by way of scratch where that is another state. */
    private void carry() throws ExecutorException {
        List<Step> home = new ArrayList<>();
        for (Graph.Carried c : program.graph().states()) {
            Span before = places.span(c.before());
            Span after = exact(c.after()).span();
            if (after.equals(before) || after.bytes() == 0) {
                continue;
            }
            if (after.home() instanceof Home.State) {
                Span staging = places.scratch(after.bytes());
                copy(after, staging);
                home.add(new Step.Copy(staging.words(), before.words()));
            } else {
                home.add(new Step.Copy(after.words(), before.words()));
            }
        }
        steps.addAll(home);
    }

    // ---- kernels ----

    /** Whether a kernel became part of the one that follows: a norm, of the products that alone read it. */
    private boolean normalised(int kernel) throws ExecutorException {
        Optional<NormBefore> norm = NormBefore.of(this, readers, program.kernels(), kernel);
        return norm.isPresent() && kernel(program.kernels().get(kernel + 1), norm);
    }

    /** Adds the steps of a kernel; of products after a norm as one step, or none: whether there are any. */
    private boolean kernel(Kernel k, Optional<NormBefore> norm) throws ExecutorException {
        places.nextKernel();
        List<Equation> all = k.equations().stream().filter(e -> !isLeaf(e) && !isAbsorbed(e)).toList();
        rounded.clear();
        all.stream().filter(e -> isRoundedByScatters(k, e)).forEach(e -> rounded.put(e.output().id(), e.inputs().getFirst()));
        List<Equation> rest = all.stream().filter(e -> !rounded.containsKey(e.outputs().getFirst().id())).toList();
        boolean whole = switch (k.kind()) {
            case POINTWISE -> elementwise(k, rest);
            case CONTRACTION -> new ContractionSteps(this).add(rest, k.outputs(), norm)
                    || norm.isEmpty() && new ExpertSteps(this).add(rest, k.outputs());
            case NONE, ROW, MOVEMENT, CLAIMED, SPECIAL -> false;
        };
        if (whole || norm.isPresent()) {
            return whole;
        }
        int first = steps.size();
        for (int i = 0; i < rest.size(); ) {
            int end = i + 1;
            if (Expression.takes(rest.get(i).op())) {
                while (end < rest.size() && joins(rest.get(i), rest.get(end))) {
                    end++;
                }
                List<Equation> run = rest.subList(i, end);
                new PointwiseSteps(this).add(run, run.stream().map(Equation::output).filter(v -> needed(k, v, run)).toList());
            } else {
                new EquationSteps(this, rest.get(i)).add();
            }
            i = end;
        }
        if (k.kind() == Kernel.Kind.ROW) {
            List<Step> own = steps.subList(first, steps.size());
            List<Step> joined = RowSteps.of(List.copyOf(own), k.rows(), kernels);
            own.clear();
            steps.addAll(joined);
        }
        return true;
    }

    /** A kernel of elementwise equations alone as one step, where all its results have one shape. */
    private boolean elementwise(Kernel k, List<Equation> rest) throws ExecutorException {
        boolean fits = !k.outputs().isEmpty() && rest.stream().allMatch(e -> Expression.takes(e.op()))
                && k.outputs().stream().allMatch(v -> v.shape().equals(k.outputs().getFirst().shape()));
        if (fits) {
            new PointwiseSteps(this).add(rest, k.outputs());
        }
        return fits;
    }

    /** Refuses what the device's limits do not let run. */
    private void requireFits(Kernel k, List<Step> written) throws ExecutorException {
        for (Step s : written) {
            if (s instanceof Step.Call c && limits().refuses(kernels.of(c.generator())).orElse(null) instanceof String why) {
                String equations = k.equations().stream().filter(e -> !isLeaf(e) && !isAbsorbed(e)).map(Equation::toString)
                        .collect(Collectors.joining("; "));
                throw new ExecutorException(new Unsupported(limits().backend(), equations,
                        "kernel " + kernels.of(c.generator()).name() + ": " + why));
            }
        }
    }

    private static boolean joins(Equation first, Equation next) {
        return Expression.takes(next.op()) && next.output().shape().equals(first.output().shape());
    }

    /** Whether anything but the run itself reads one of its values. */
    private static boolean needed(Kernel k, Value v, List<Equation> run) {
        return k.outputs().contains(v) || k.equations().stream().anyMatch(e -> !run.contains(e) && e.inputs().contains(v));
    }

    /** A cast to a narrower float that scatters alone read, as what they write: they round it themselves. */
    private static boolean isRoundedByScatters(Kernel k, Equation e) {
        if (!(e.op() instanceof Op.Cast c) || !c.to().isFloat() || e.inputs().getFirst().element() != ElementType.F32
                || k.outputs().contains(e.output())) {
            return false;
        }
        return k.equations().stream().filter(r -> r.inputs().contains(e.output()))
                .allMatch(r -> r.op() instanceof Op.ScatterUpdate s && !s.add() && !r.inputs().subList(0, 2).contains(e.output()));
    }

    private static boolean isLeaf(Equation e) {
        return e.op() instanceof Op.Const || e.op() instanceof Op.Slot || e.op() instanceof Op.State
                || e.op() instanceof Op.Literal || e.op() instanceof Op.Param;
    }

    /** A weight read that lives in no memory: whoever consumes it reads the weight. */
    private boolean isAbsorbed(Equation e) {
        return (e.op() instanceof Op.PackedDecode || e.op() instanceof Op.Cast) && places.weight(e.output()).isPresent();
    }

    // ---- what steps are made of ----

    Places places() {
        return places;
    }

    DeviceLimits limits() {
        return kernels.limits();
    }

    /** How products in tiles hold their factors. */
    Precision precision() {
        return kernels.products().precision(limits());
    }

    /** Adds a kernel; {@code company} as in {@link Step.Call}. */
    void call(Generator g, Grid grid, int company, Actual... actuals) {
        steps.add(new Step.Call(g, List.of(actuals), grid, company));
    }

    /** Adds a kernel. */
    void call(Generator g, Grid grid, Actual... actuals) {
        call(g, grid, 0, actuals);
    }

    /** A number for steps that need no order among them. */
    int company() {
        return ++companies;
    }

    /** Adds a copy of a value's bytes, if there are any and they lie elsewhere. */
    void copy(Span from, Span to) {
        if (from.bytes() > 0 && !from.equals(to)) {
            steps.add(new Step.Copy(from.words(), to.words()));
        }
    }

    /** Adds zeroing of a value's bytes. */
    void zero(Span to) {
        if (to.bytes() > 0) {
            steps.add(new Step.Zero(to.words()));
        }
    }

    /** The stored weight a value is, where it has no other memory and is no view. */
    Optional<Resident> weight(Value v) {
        return places.weight(v);
    }

    /** A value to be read by a kernel that takes narrower floats as well; packed rows are decoded first. */
    Operand operand(Value v) throws ExecutorException {
        Value root = places.root(v);
        Optional<Resident> w = places.weight(root);
        if (w.isEmpty()) {
            return new Operand(places.span(root), v.element(), v.shape());
        }
        if (!w.get().isDense()) {
            Operand decoded = new Operand(places.scratch(v.type().bytes()), v.element(), v.shape());
            new WeightSteps(this).decode(places.definition(v), w.get(), decoded);
            return decoded;
        }
        return new Operand(w.get().dense(), w.get().element(), v.shape());
    }

    /** A value to be read in its own element type. */
    Operand exact(Value v) throws ExecutorException {
        Operand o = operand(v);
        if (o.element() == v.element()) {
            return o;
        }
        Operand wide = new Operand(places.scratch(v.type().bytes()), v.element(), v.shape());
        new Moving(this).whole(o, wide);
        return wide;
    }

    /** What a scatter writes, before it is rounded where the scatter is to do that. */
    Operand wide(Value v) throws ExecutorException {
        return exact(rounded.getOrDefault(v.id(), v));
    }

    /** Where a result is written. */
    Operand result(Value v) throws ExecutorException {
        return new Operand(places.span(v), v.element(), v.shape());
    }

    /** That the kernels do not take an equation's shapes. */
    ExecutorException unsupported(Equation e, IllegalArgumentException shapes) {
        return new ExecutorException(new Unsupported(kernels.limits().backend(), e.toString(), shapes.getMessage()), shapes);
    }

    /** That this backend has no kernel for an equation. */
    ExecutorException unsupported(Equation e, String capability) {
        return new ExecutorException(new Unsupported(kernels.limits().backend(), e.toString(), capability));
    }

}
