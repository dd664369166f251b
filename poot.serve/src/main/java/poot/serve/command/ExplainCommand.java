package poot.serve.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import poot.api.executor.Executor;
import poot.api.graph.Graph;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.model.Model;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.core.compile.CompileException;
import poot.core.compile.CompileOptions;
import poot.core.compile.Explanation;
import poot.core.compile.KernelCost;
import poot.core.compile.PassEffect;
import poot.core.sample.Head;
import poot.core.sample.SamplingSuffix;

/** Shows what the compiler makes of a model. */
@Command(name = "explain", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Shows how a model is compiled: what each pass did, the kernels, what they read, write and compute.",
        footer = {"", "Bytes and operations follow from the program alone, with the cache full; nothing is run or measured."})
final class ExplainCommand implements Callable<Integer> {
    private static final int CONTEXT = 2048;

    /** The programs a driver prepares. */
    enum Kind { STEP, PREFILL, ENCODE }

    private final Console console = new Console();

    @Mixin
    private ModelOptions modelOptions;

    @Option(names = "--program", paramLabel = "WHICH",
            description = "step (one token decoded), prefill or encode. Default: step, or encode for a model that only encodes.")
    private Kind program;

    @Option(names = "--tokens", paramLabel = "N", defaultValue = "512",
            description = "Tokens of a prefill or encode pass. Default: ${DEFAULT-VALUE}.")
    private int tokens;

    @Option(names = "--rows", paramLabel = "N", defaultValue = "1", description = "Rows decoded together. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(names = "--all", description = "List every kernel; without it equal ones are counted.")
    private boolean all;

    @Override
    public Integer call() throws Exception {
        try (LoadedModel model = LoadedModel.unread(modelOptions); Executor executor = modelOptions.open()) {
            Graph graph = traced(model.model());
            console.line("backend " + executor.target().name());
            CompileOptions options = CompileOptions.DEFAULT.withFusion(modelOptions.fusion());
            try {
                show(Explanation.of(graph, model.handle().weights(), executor.target(), options));
            } catch (CompileException e) {
                throw new CommandFailure(e.getMessage());
            }
            return 0;
        }
    }

    private Graph traced(Model model) throws CommandFailure {
        boolean generates = model.schema().program(ProgramName.STEP).isPresent();
        Kind kind = program != null ? program : generates ? Kind.STEP : Kind.ENCODE;
        ProgramName name = kind == Kind.ENCODE ? ProgramName.ENCODE : ProgramName.STEP;
        if (model.schema().program(name).isEmpty()) {
            throw new CommandFailure("a model of family " + model.config().family() + " has no " + name + " program; give --program "
                    + (generates ? "step or prefill" : "encode"));
        }
        int limit = model.config().contextLength();
        int count = kind == Kind.STEP ? 1 : Math.min(tokens, limit);
        if (count < 1 || rows < 1) {
            throw new CommandFailure("--tokens " + tokens + ", --rows " + rows + ": give positive numbers");
        }
        StepShape shape = kind == Kind.ENCODE ? StepShape.encode(rows, count)
                : StepShape.step(rows, count, modelOptions.capacity(Math.min(CONTEXT, limit), limit)).withKv(modelOptions.kv());
        console.line("%s, %d x %d tokens%s".formatted(name, rows, count, kind == Kind.ENCODE ? "" : ", context " + shape.capacity()));
        try {
            Graph graph = model.trace(StepSpec.of(name, shape), TraceLimits.DEFAULT);
            return kind == Kind.ENCODE ? graph : SamplingSuffix.append(graph, shape, Head.Sample.GREEDY, TraceLimits.DEFAULT);
        } catch (TraceException e) {
            throw new CommandFailure(e.getMessage());
        }
    }

    private void show(Explanation e) {
        console.line("");
        console.line("pass                  before   after");
        for (PassEffect p : e.passes()) {
            String unit = p.unit().name().toLowerCase(Locale.ROOT);
            console.line("%-20s %7d %7d %s%s".formatted(p.pass(), p.before(), p.after(), unit, p.fired() ? "" : ", unchanged"));
        }
        console.line("");
        console.line("kernels            read      written        ops");
        Map<KernelCost, Integer> distinct = new LinkedHashMap<>();
        e.kernels().forEach(k -> distinct.merge(k, 1, Integer::sum));
        if (all) {
            e.kernels().forEach(k -> line(1, k));
        } else {
            distinct.forEach((k, n) -> line(n, k));
        }
        totals(e);
    }

    private void line(int count, KernelCost k) {
        console.line("%4d x %12s %12s %10s  %s: %s".formatted(count, bytes(k.read()), bytes(k.written()), scaled(k.flops(), 1000, ""),
                k.kind().name().toLowerCase(Locale.ROOT), operations(k.operations())));
    }

    /** Operations in a row that are the same, once with their number. */
    private static String operations(List<String> names) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < names.size(); ) {
            int end = i;
            while (end < names.size() && names.get(end).equals(names.get(i))) {
                end++;
            }
            out.append(i == 0 ? "" : ", ").append(names.get(i)).append(end - i > 1 ? " x" + (end - i) : "");
            i = end;
        }
        return out.toString();
    }

    private void totals(Explanation e) {
        console.line("");
        console.line("dispatches        " + e.kernels().size());
        console.line("bytes moved       " + bytes(e.bytesMoved()) + ", %.3f of the least possible, %s".formatted(
                (double) e.bytesMoved() / Math.max(1, e.minimum()), bytes(e.minimum())));
        console.line("operations        " + scaled(e.flops(), 1000, ""));
        console.line("arena             " + bytes(e.arenaBytes()) + ", of which alive at once at most " + bytes(e.peakBytes()));
    }

    private static String bytes(long n) {
        return scaled(n, 1024, "B");
    }

    private static String scaled(long n, int unit, String of) {
        String[] prefixes = unit == 1024 ? new String[] {"", "Ki", "Mi", "Gi", "Ti"} : new String[] {"", "k", "M", "G", "T"};
        double v = n;
        int i = 0;
        while (v >= unit && i < prefixes.length - 1) {
            v /= unit;
            i++;
        }
        return (i == 0 ? "" + n : "%.1f".formatted(v)) + (prefixes[i] + of).transform(s -> s.isEmpty() ? s : " " + s);
    }
}
