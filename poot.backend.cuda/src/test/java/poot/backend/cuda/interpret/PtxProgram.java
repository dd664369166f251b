package poot.backend.cuda.interpret;

import java.util.List;

/** A module made ready: a step for each instruction. */
public final class PtxProgram {
    private final PtxSource source;
    private final Step[] steps;

    private PtxProgram(PtxSource source, Step[] steps) {
        this.source = source;
        this.steps = steps;
    }

    /** Reads a module and makes it ready. */
    public static PtxProgram of(String text) {
        PtxSource source = PtxSource.read(text);
        Step[] steps = new Step[source.lines().size()];
        for (int i = 0; i < steps.length; i++) {
            PtxSource.Line line = source.lines().get(i);
            Step s = step(source, line);
            steps[i] = line.guard() == null || s.kind() == Step.Kind.BRANCH ? s : guarded(line, s);
        }
        return new PtxProgram(source, steps);
    }

    private static Step step(PtxSource source, PtxSource.Line line) {
        List<String> op = line.op();
        String type = op.getLast();
        return switch (op.getFirst()) {
            case "bra", "bar", "ret" -> FlowSteps.of(source, line);
            case "ld", "st", "atom", "cp" -> MemorySteps.of(source, line);
            case "shfl", "redux" -> WarpSteps.of(line);
            case "mma", "ldmatrix" -> MatrixSteps.of(line);
            case "cvt", "mov", "cvta" -> ConvertSteps.of(line);
            case "setp", "selp" -> PredicateSteps.of(line);
            case "sqrt", "rsqrt", "rcp", "ex2", "lg2", "fma" -> FloatSteps.of(line);
            default -> switch (type) {
                case "f32" -> FloatSteps.of(line);
                case "pred" -> PredicateSteps.of(line);
                default -> IntegerSteps.of(line);
            };
        };
    }

    private static Step guarded(PtxSource.Line line, Step s) {
        boolean not = line.guard().startsWith("!");
        int p = Operands.number(line, line.guard().substring(not ? 1 : 0), "%p");
        return w -> {
            int all = w.mask;
            w.mask = all & (not ? ~w.predicates[p] : w.predicates[p]);
            if (w.mask != 0) {
                s.run(w);
            }
            w.mask = all;
        };
    }

    /** Registers of a prefix. */
    int count(String prefix) {
        return source.registers().getOrDefault(prefix, 0);
    }

    /** The entry's name. */
    public String entry() {
        return source.entry();
    }

    /** The target's compute capability. */
    public int capability() {
        return source.capability();
    }

    /** The lengths of the parameters, in bytes. */
    public List<Integer> paramBytes() {
        return source.params().stream().map(PtxSource.Param::bytes).toList();
    }

    /** Where each parameter lies among all. */
    public List<Integer> paramOffsets() {
        return source.params().stream().map(PtxSource.Param::offset).toList();
    }

    /** Threads of a block. */
    public int threads() {
        return source.threads();
    }

    /** Shared memory of a block whose launch asks for {@code more}. */
    int sharedBytes(int more) {
        return source.sharedBytes() < 0 ? more : source.sharedBytes();
    }

    Step[] steps() {
        return steps;
    }

    String text(int pc) {
        return "line " + source.lines().get(pc).number() + " of " + source.entry() + ", " + source.lines().get(pc).text();
    }
}
