package poot.core.kernel.ir;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The rules of the language: types, every register assigned once and before it is read, buffers used as their
 * parameters say, and flow uniform around what threads do together. Flow must be provably uniform: a condition may
 * follow only from what {@link Uniformity} knows to be shared.
 */
public final class KernelValidator {
    /** Threads of the largest workgroup that any device takes. */
    public static final int MAX_WORKGROUP = 1024;
    /** Registers of a kernel, at most. */
    public static final int MAX_REGISTERS = 1 << 20;
    private static final int MAX_DEPTH = 64;

    private final DeviceKernel kernel;
    private final Uniformity uniformity;
    private final Map<Reg, Access> buffers = new HashMap<>();
    private final Set<Integer> assigned = new HashSet<>();
    private final Set<Reg> visible = new HashSet<>();
    private final Deque<Uniformity.Level> flow = new ArrayDeque<>();

    private KernelValidator(DeviceKernel kernel) {
        this.kernel = kernel;
        checkArity(kernel.body(), 0);
        this.uniformity = Uniformity.of(kernel);
    }

    /** Refuses a kernel that breaks a rule, naming the kernel, the instruction and the rule. */
    public static void validate(DeviceKernel kernel) {
        KernelValidator v = new KernelValidator(kernel);
        v.header();
        v.flow.push(Uniformity.Level.WORKGROUP);
        v.block(kernel.body(), List.of());
    }

    private void header() {
        int s = kernel.subgroup();
        word(kernel.name());
        require(s >= 1 && s <= 128 && Integer.bitCount(s) == 1, null, "a subgroup of " + s, "use a power of two up to 128");
        require(kernel.workgroup() >= s && kernel.workgroup() <= MAX_WORKGROUP && kernel.workgroup() % s == 0, null,
                "a workgroup of " + kernel.workgroup(), "use a multiple of the subgroup's " + s + " up to " + MAX_WORKGROUP);
        Set<String> names = new HashSet<>();
        for (Param p : kernel.params()) {
            word(p.name());
            require(names.add(p.name()), null, "two parameters " + p.name(), "give each its own name");
            define(p.reg(), null);
            if (p instanceof Param.Buffer b) {
                buffers.put(b.reg(), b.access());
            }
        }
        Set<String> arrays = new HashSet<>();
        for (SharedArray a : kernel.shared()) {
            word(a.name());
            require(arrays.add(a.name()), null, "two shared arrays " + a.name(), "give each its own name");
        }
    }

    private void word(String name) {
        require(name.matches("[A-Za-z][A-Za-z0-9_]{0,199}"), null, "the name '" + name + "' is not a word", "use letters, digits and underscores");
    }

    /** Checks, before anything walks carried registers beside yields, that there are as many. */
    private void checkArity(Block b, int depth) {
        require(depth <= MAX_DEPTH, null, "blocks nested deeper than " + MAX_DEPTH, "flatten the flow");
        for (Instruction i : b.instructions()) {
            switch (i) {
                case Instruction.If f -> {
                    sameTypes(f, f.results(), f.then().yields());
                    sameTypes(f, f.results(), f.otherwise().yields());
                }
                case Instruction.For f -> {
                    sameTypes(f, f.results(), f.carried());
                    sameTypes(f, f.carried(), f.initial());
                    sameTypes(f, f.carried(), f.body().yields());
                }
                case Instruction.While w -> {
                    sameTypes(w, w.results(), w.carried());
                    sameTypes(w, w.carried(), w.initial());
                    sameTypes(w, w.carried(), w.body().yields());
                    require(w.condition().yields().size() == 1 && w.condition().yields().getFirst().type() == ScalarType.BOOL, w,
                            "the condition does not yield one bool", "yield the comparison");
                }
                default -> { }
            }
            for (Block inner : i.blocks()) {
                checkArity(inner, depth + 1);
            }
        }
    }

    private void sameTypes(Instruction i, List<Reg> expected, List<Reg> actual) {
        require(expected.stream().map(Reg::type).toList().equals(actual.stream().map(Reg::type).toList()), i,
                "yields or carries other registers than its results", "yield as many registers of the same types");
    }

    /** Checks a block that sees {@code given} and what is visible outside; registers of the block are visible within only. */
    private void block(Block b, List<Reg> given) {
        Set<Reg> mine = new HashSet<>(given);
        for (Instruction i : b.instructions()) {
            for (Reg r : i.operands()) {
                require(visible.contains(r), i, r + " is not assigned here", "hand it out of its block as a result");
            }
            rules(i);
            inner(i);
            for (Reg r : i.results()) {
                define(r, i);
                mine.add(r);
            }
            provenance(i);
        }
        for (Reg r : b.yields()) {
            require(visible.contains(r), null, "yielded " + r + " is not assigned here", "yield what the block can see");
        }
        visible.removeAll(mine);
    }

    private void inner(Instruction i) {
        flow.push(uniformity.inside(i, flow.peek()));
        switch (i) {
            case Instruction.If f -> {
                block(f.then(), List.of());
                block(f.otherwise(), List.of());
            }
            case Instruction.For f -> {
                define(f.variable(), f);
                f.carried().forEach(r -> define(r, f));
                block(f.body(), Operands.join(List.of(f.variable()), f.carried()));
            }
            case Instruction.While w -> {
                w.carried().forEach(r -> define(r, w));
                // The body reads what the condition assigned: both are one scope, left by the body.
                List<Reg> seen = w.condition().instructions().stream().flatMap(x -> x.results().stream()).toList();
                block(w.condition(), List.of());
                visible.addAll(seen);
                block(w.body(), Operands.join(w.carried(), seen));
            }
            default -> { }
        }
        flow.pop();
    }

    private void define(Reg r, Instruction i) {
        require(r.id() >= 0 && r.id() < MAX_REGISTERS, i, r + " is not a register", "number registers from 0 to " + (MAX_REGISTERS - 1));
        require(assigned.add(r.id()), i, r + " is assigned twice", "make a register for each result");
        visible.add(r);
    }

    private void provenance(Instruction i) {
        switch (i) {
            case Instruction.Advance a -> buffers.put(a.result(), buffers.getOrDefault(a.buffer(), Access.READ_WRITE));
            case Instruction.Select s when s.result().type() == ScalarType.BUFFER -> {
                Access then = buffers.getOrDefault(s.then(), Access.READ_WRITE);
                Access otherwise = buffers.getOrDefault(s.otherwise(), Access.READ_WRITE);
                require(then == otherwise, i, "chooses between buffers of access " + then + " and " + otherwise, "declare them alike");
                buffers.put(s.result(), then);
            }
            default -> { }
        }
    }

    private void rules(Instruction i) {
        require(Rules.typed(i, kernel), i, "takes or gives other types", "give it the types its declaration names");
        switch (i) {
            case Instruction.Load l -> place(i, l.place(), true, false);
            case Instruction.Store s -> place(i, s.place(), false, true);
            case Instruction.Atomic a -> place(i, a.place(), true, true);
            case Instruction.CopyAsync c -> {
                place(i, c.from(), true, false);
                place(i, c.to(), false, true);
            }
            case Instruction.FragmentLoad f -> {
                place(i, f.place(), true, false);
                uniform(i, Uniformity.Level.SUBGROUP, f.operands());
            }
            case Instruction.FragmentStore f -> {
                place(i, f.place(), false, true);
                uniform(i, Uniformity.Level.SUBGROUP, f.operands());
            }
            case Instruction.Barrier b -> uniform(i, Uniformity.Level.WORKGROUP, List.of());
            case Instruction.CommitCopies c -> uniform(i, Uniformity.Level.WORKGROUP, List.of());
            case Instruction.AwaitCopies c -> uniform(i, Uniformity.Level.WORKGROUP, List.of());
            case Instruction.SubgroupReduce r -> uniform(i, Uniformity.Level.SUBGROUP, List.of());
            case Instruction.Shuffle s -> uniform(i, Uniformity.Level.SUBGROUP, List.of());
            case Instruction.ShuffleXor s -> uniform(i, Uniformity.Level.SUBGROUP, List.of());
            case Instruction.Broadcast s -> uniform(i, Uniformity.Level.SUBGROUP, List.of());
            case Instruction.FragmentFill f -> uniform(i, Uniformity.Level.SUBGROUP, List.of(f.value()));
            case Instruction.FragmentMultiply m -> uniform(i, Uniformity.Level.SUBGROUP, List.of());
            default -> { }
        }
        for (Reg r : i.results()) {
            if (r.type() instanceof Fragment f && f.use() != Fragment.Use.ACCUMULATOR) {
                require(kernel.needs().contains(f.needs()), i, "uses " + f.needs() + " which the kernel does not need", "add it to needs");
            }
        }
    }

    private void place(Instruction i, Place place, boolean reads, boolean writes) {
        switch (place) {
            case Place.Shared s -> require(kernel.shared().contains(s.array()), i, s.array().name() + " is not an array of the kernel",
                    "declare it");
            case Place.Global g -> {
                Access a = buffers.getOrDefault(g.buffer(), Access.READ_WRITE);
                require(!(reads && !a.reads()) && !(writes && !a.writes()), i, "uses a buffer that is declared " + a, "declare the access it needs");
            }
        }
    }

    private void uniform(Instruction i, Uniformity.Level most, List<Reg> operands) {
        Uniformity.Level here = flow.peek();
        require(here.compareTo(most) <= 0, i, "is in flow that may differ between threads of a " + most.name().toLowerCase(Locale.ROOT),
                "move it out, or make the condition follow from uniform values");
        for (Reg r : operands) {
            require(r.type() instanceof Fragment || uniformity.level(r).compareTo(most) <= 0, i,
                    "its operand " + r + " may differ between threads of a subgroup", "compute it from uniform values");
        }
    }

    /** Whether three fragments fit {@code accumulator + a * b}. */
    static boolean multiplies(Reg a, Reg b, Reg accumulator) {
        return a.type() instanceof Fragment x && b.type() instanceof Fragment y && accumulator.type() instanceof Fragment z
                && x.use() == Fragment.Use.A && y.use() == Fragment.Use.B && z.use() == Fragment.Use.ACCUMULATOR
                && x.element() == y.element() && z.element() == (x.element() == MemoryType.I8 ? MemoryType.I32 : MemoryType.F32);
    }

    private void require(boolean holds, Instruction i, String what, String remedy) {
        if (!holds) {
            throw new InvalidKernelException("kernel " + kernel.name() + (i == null ? "" : ", " + KernelPrinter.print(i)) + ": " + what, remedy);
        }
    }
}
