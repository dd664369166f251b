package poot.serve.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import poot.api.executor.Residency;
import poot.api.model.KvForm;
import poot.serve.bench.Bench;
import poot.serve.bench.BenchException;
import poot.serve.bench.BenchPlan;
import poot.serve.bench.BenchReport;
import poot.serve.bench.BenchShape;
import poot.serve.bench.MachineDescription;
import poot.serve.bench.MachineLimits;
import poot.serve.bench.Measured;
import poot.serve.bench.PeerCommand;
import poot.serve.bench.SyntheticCheckpoint;
import poot.serve.bench.WeightMix;
import poot.serve.bench.Workbench;
import poot.serve.bench.Workload;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Measures prefill and decode on synthetic checkpoints of a real shape, another engine beside it. */
@Command(name = "bench", mixinStandardHelpOptions = true, sortOptions = false,
        description = {"Measures prefill and decode on a model of real shape with random weights.",
            "Each figure is the median of the rounds, with the least and the greatest; unmeasured rounds go first.",
            "Percentages are of what this machine reads and multiplies at most, measured in the same run."},
        footer = {"", "Examples:", "  poot bench --shape 1b --formats Q8_0,F16 --prefill 512 --decode 128",
            "  poot bench --decode 64 --context 128,2048 --batch 8 --keep DIR \\",
            "    --beside 'OTHER {model} {prefill} {decode} {context} {batch}'"})
final class BenchCommand implements Callable<Integer> {
    private static final String STANDARD_OUTPUT = "-";

    private final Console console = new Console();

    @Option(names = "--shape", defaultValue = "1b", paramLabel = "NAME",
            description = "1b, 0.5b, 8b (a popular decoder of that size) or tiny. Default: ${DEFAULT-VALUE}.")
    private String shape;

    @Option(names = "--formats", split = ",", defaultValue = "Q8_0,Q4_0,Q4_K_M,F16", paramLabel = "FORMAT",
            description = "Weight formats: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private List<WeightMix> formats;

    @Option(names = "--prefill", split = ",", defaultValue = "512", paramLabel = "N",
            description = "Prompt tokens, one measurement each; 0 for none. Default: ${DEFAULT-VALUE}.")
    private List<Integer> prefill;

    @Option(names = "--decode", defaultValue = "128", paramLabel = "N",
            description = "New tokens of each row; 0 to measure no continuation. Default: ${DEFAULT-VALUE}.")
    private int decode;

    @Option(names = "--context", split = ",", defaultValue = "0", paramLabel = "N",
            description = "Positions in the cache before the new tokens, one measurement each. Default: ${DEFAULT-VALUE}.")
    private List<Integer> contexts;

    @Option(names = "--batch", split = ",", paramLabel = "B",
            description = "Also decode B rows together, behind the first context.")
    private List<Integer> batches = List.of();

    @Option(names = "--repeat", defaultValue = "3", paramLabel = "N", description = "Measured rounds. Default: ${DEFAULT-VALUE}.")
    private int repeat;

    @Option(names = "--warm-up", paramLabel = "N",
            description = "Unmeasured rounds before. Default: at least one, until Java's compilers rest.")
    private Integer warmUp;

    @Option(names = "--backend", defaultValue = "", paramLabel = "NAME", description = "The backend. Default: the best available.")
    private String backend;

    @Option(names = "--threads", defaultValue = "0", paramLabel = "N",
            description = "Worker threads of the CPU; a device has its own and refuses any number. Default: one per core.")
    private int threads;

    @Option(names = "--weights", defaultValue = "AUTO", paramLabel = "WHERE", description = "Where a CPU reads weights: AUTO, MAPPED or COPIED. Default: ${DEFAULT-VALUE}.")
    private Residency weights;

    @Option(names = "--kv", defaultValue = "F16", paramLabel = "TYPE", description = "How keys and values are cached: F32, F16, BF16 or Q8_0. Default: ${DEFAULT-VALUE}.")
    private KvForm kv;

    @Option(names = "--chunk", defaultValue = "512", paramLabel = "N", description = "Prompt tokens of a step. Default: ${DEFAULT-VALUE}.")
    private int chunk;

    @Option(names = "--keep", paramLabel = "DIR", description = "Keep the synthetic checkpoints here and use them again.")
    private Path keep;

    @Option(names = "--write-only", description = "Write the checkpoints of --keep and measure nothing.")
    private boolean writeOnly;

    @Option(names = "--beside", paramLabel = "COMMAND",
            description = "Another engine's command, run on the same checkpoint after each turn of poot's; it may name {model}, "
                    + "{prefill}, {decode}, {context}, {batch} and {threads}. It prints JSON: one line "
                    + "{\"prefill\": X, \"decode\": Y} in tokens/s, or objects with n_prompt, n_gen and avg_ts. Of several commands "
                    + "the first that names what a measurement needs is run. docs/benchmarks.md gives commands.")
    private List<String> beside = List.of();

    @Option(names = "--beside-limit", defaultValue = "3600", paramLabel = "SECONDS",
            description = "How long one turn of the other engine may take. Default: ${DEFAULT-VALUE}.")
    private int besideLimit;

    @Option(names = "--json", arity = "0..1", fallbackValue = STANDARD_OUTPUT, paramLabel = "FILE",
            description = "Write everything measured as JSON to FILE, or without one to standard output in place of the lines.")
    private String json;

    @Override
    public Integer call() throws Exception {
        try {
            measure();
            return 0;
        } catch (BenchException e) {
            throw new CommandFailure(e.getMessage());
        }
    }

    private void measure() throws Exception {
        check();
        MachineDescription machine = MachineDescription.here();
        Path folder = keep != null ? Files.createDirectories(keep) : Files.createTempDirectory("poot-bench");
        try {
            BenchPlan plan = plan(folder, threads > 0 ? threads : machine.cores());
            if (writeOnly) {
                write(plan);
            } else {
                measure(plan, machine);
            }
        } finally {
            if (keep == null) {
                Files.deleteIfExists(folder);
            }
        }
    }

    private void check() throws CommandFailure {
        boolean positive = repeat >= 1 && chunk >= 1 && besideLimit >= 1 && batches.stream().allMatch(b -> b >= 1);
        boolean notNegative = decode >= 0 && (warmUp == null || warmUp >= 0) && threads >= 0 && prefill.stream().allMatch(n -> n >= 0)
                && contexts.stream().allMatch(n -> n >= 0);
        if (!positive || !notNegative) {
            throw new CommandFailure("--repeat, --chunk, --beside-limit and --batch must be positive, other numbers not negative");
        }
        if (writeOnly && keep == null) {
            throw new CommandFailure("--write-only needs --keep DIR");
        }
    }

    private BenchPlan plan(Path folder, int workers) throws BenchException, IOException, CommandFailure {
        List<Workload> workloads = new ArrayList<>();
        prefill.stream().filter(n -> n > 0).forEach(n -> workloads.add(new Workload.Prompt(n)));
        if (decode > 0) {
            contexts.forEach(c -> workloads.add(new Workload.Continuation(decode, c, 1)));
            batches.stream().filter(b -> b > 1).forEach(b -> workloads.add(new Workload.Continuation(decode, contexts.getFirst(), b)));
        }
        if (workloads.isEmpty()) {
            throw new CommandFailure("nothing to measure: give a positive --prefill or --decode");
        }
        List<PeerCommand> peers = new ArrayList<>();
        for (String command : beside) {
            peers.add(new PeerCommand(command, besideLimit));
        }
        return new BenchPlan(shape, BenchShape.named(shape), formats, workloads, new Workbench.Setup(backend, threads, workers, weights, kv, chunk),
                new BenchPlan.Rounds(warmUp == null ? OptionalInt.empty() : OptionalInt.of(warmUp), repeat), peers, folder, keep != null);
    }

    private void write(BenchPlan plan) throws IOException {
        for (WeightMix mix : plan.mixes()) {
            console.err().println("writing " + plan.file(mix));
            SyntheticCheckpoint.write(plan.file(mix), plan.shape(), mix);
        }
    }

    private void measure(BenchPlan plan, MachineDescription machine) throws Exception {
        int workers = plan.setup().workers();
        MachineLimits before = MachineLimits.measure(workers).or(MachineLimits.measure(workers));
        boolean lines = !STANDARD_OUTPUT.equals(json);
        if (lines) {
            console.line(BenchReport.line(machine, workers, before));
        }
        List<Measured> results = new Bench(plan, new Shown()).run(m -> {
            if (lines) {
                console.line(BenchReport.line(plan, m, before));
            }
        });
        if (json != null) {
            MachineLimits limits = before.or(MachineLimits.measure(workers));
            String text = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build()
                    .writeValueAsString(BenchReport.json(plan, machine, limits, results));
            if (lines) {
                Files.writeString(Path.of(json), text + "\n");
            } else {
                console.line(text);
            }
        }
    }

    /** Stages go to standard error; turns are shown to a person who watches, each in place of the one before. */
    private final class Shown implements Bench.Progress {
        @Override
        public void stage(String what) {
            console.err().println(what);
        }

        @Override
        public void turn(String what) {
            if (console.interactive()) {
                console.err().print(what + "\u001b[K\r");
            }
        }
    }
}
