package poot.serve.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.graph.ElementType;
import poot.core.driver.Backends;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.core.quant.Packer;
import poot.families.Families;
import poot.serve.bench.BenchShape;
import poot.serve.bench.SyntheticCheckpoint;
import tools.jackson.databind.json.JsonMapper;

/** Measures prefill and decode on a synthetic checkpoint of a real shape. */
@Command(name = "bench", mixinStandardHelpOptions = true, sortOptions = false,
        description = {"Measures prefill and decode on a model of real shape with random weights.",
            "Each figure is the median of the repetitions, with the slowest and fastest; one unmeasured warm-up goes first."},
        footer = {"", "Example:", "  poot bench --shape 1b --formats Q8_0,Q4_0,BF16 --prefill 512 --decode 128"})
final class BenchCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Option(names = "--shape", defaultValue = "1b", paramLabel = "NAME",
            description = "1b, 0.5b, 8b (a popular decoder of that size) or tiny. Default: ${DEFAULT-VALUE}.")
    private String shapeName;

    @Option(names = "--formats", split = ",", defaultValue = "Q8_0,Q4_0,BF16", paramLabel = "FORMAT",
            description = "Weight formats: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private List<Packer> formats;

    @Option(names = "--prefill", defaultValue = "512", paramLabel = "N", description = "Prompt tokens. Default: ${DEFAULT-VALUE}.")
    private int prefill;

    @Option(names = "--decode", defaultValue = "128", paramLabel = "N", description = "New tokens. Default: ${DEFAULT-VALUE}.")
    private int decode;

    @Option(names = "--repeat", defaultValue = "3", paramLabel = "N", description = "Repetitions. Default: ${DEFAULT-VALUE}.")
    private int repeat;

    @Option(names = "--backend", paramLabel = "NAME", description = "The backend. Default: the best available.")
    private String backend;

    @Option(names = "--threads", defaultValue = "0", paramLabel = "N", description = "Worker threads. Default: one per core.")
    private int threads;

    @Option(names = "--kv", defaultValue = "F16", paramLabel = "TYPE", description = "Cache element type. Default: ${DEFAULT-VALUE}.")
    private ElementType kv;

    @Option(names = "--keep", paramLabel = "DIR", description = "Keep the synthetic checkpoints here and use them again.")
    private Path keep;

    @Option(names = "--json", description = "Write a JSON object a format.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        BenchShape shape = BenchShape.known().get(shapeName);
        if (shape == null) {
            throw new CommandFailure("--shape " + shapeName + ": known are " + String.join(", ", BenchShape.known().keySet()));
        }
        if (prefill < 1 || decode < 1 || repeat < 1 || threads < 0) {
            throw new CommandFailure("--prefill, --decode and --repeat must be positive");
        }
        Path folder = keep != null ? Files.createDirectories(keep) : Files.createTempDirectory("poot-bench");
        for (Packer format : formats) {
            Path file = folder.resolve(shapeName + "-" + format + ".gguf");
            try {
                if (!Files.exists(file)) {
                    console.err().println("writing " + file.getFileName());
                    SyntheticCheckpoint.write(file, shape, format, Math.max(2048, prefill + decode));
                }
                measure(file, shape, format);
            } finally {
                if (keep == null) {
                    Files.deleteIfExists(file);
                }
            }
        }
        if (keep == null) {
            Files.deleteIfExists(folder);
        }
        return 0;
    }

    private void measure(Path file, BenchShape shape, Packer format) throws Exception {
        long begin = System.nanoTime();
        try (ModelHandle handle = ModelHandle.load(file, Families.registry(), LoadOptions.DEFAULT);
                Executor executor = backend == null ? Backends.best(new ExecutorOptions(threads))
                        : Backends.open(backend, new ExecutorOptions(threads))) {
            Warming.touch(handle.weights().values(), console);
            DriverOptions options = DriverOptions.DEFAULT.withCapacity(prefill + decode + 1).withKv(kv)
                    .withHeads(EnumSet.of(HeadKind.GREEDY));
            Preparation prepared = Driver.over(handle, executor, options).prepare();
            switch (prepared) {
                case Preparation.Ready r -> {
                    try (ServingDriver driver = r.driver()) {
                        double load = (System.nanoTime() - begin) / 1e9;
                        report(file, shape, format, load, driver);
                    }
                }
                case Preparation.Refused r -> {
                    r.driver().close();
                    throw new CommandFailure(r.fault().message());
                }
            }
        }
    }

    private void report(Path file, BenchShape shape, Packer format, double load, ServingDriver driver) throws Exception {
        List<double[]> runs = new ArrayList<>();
        for (int i = 0; i <= repeat; i++) {
            double[] run = once(driver, shape);
            if (i > 0) {
                runs.add(run);
            }
        }
        double[] p = sorted(runs, 0);
        double[] d = sorted(runs, 1);
        double bytesPerToken = shape.linearWeights() * (double) format.encoding().blockBytes() / format.encoding().blockElements();
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("shape", shapeName);
        o.put("format", format.name());
        o.put("load_s", load);
        o.put("prefill_tokens_per_s", p[p.length / 2]);
        o.put("prefill_min_max", new double[] {p[0], p[p.length - 1]});
        o.put("prefill_gflop_per_s", 2e-9 * shape.linearWeights() * p[p.length / 2]);
        o.put("decode_tokens_per_s", d[d.length / 2]);
        o.put("decode_min_max", new double[] {d[0], d[d.length - 1]});
        o.put("decode_weight_gb_per_s", 1e-9 * bytesPerToken * d[d.length / 2]);
        if (json) {
            console.line(JsonMapper.shared().writeValueAsString(o));
        } else {
            console.line(String.format(Locale.ROOT,
                    "%-14s %-5s prefill %d: %7.1f tokens/s (%.1f–%.1f; %.0f GFLOP/s)   decode %d: %6.1f tokens/s (%.1f–%.1f; %.1f GB/s)",
                    shapeName, format, prefill, p[p.length / 2], p[0], p[p.length - 1], o.get("prefill_gflop_per_s"),
                    decode, d[d.length / 2], d[0], d[d.length - 1], o.get("decode_weight_gb_per_s")));
        }
    }

    /** One prompt and its continuation: tokens per second of each. */
    private double[] once(ServingDriver driver, BenchShape shape) throws Exception {
        int[] prompt = new int[prefill];
        for (int i = 0; i < prefill; i++) {
            prompt[i] = (int) ((i * 7919L + 13) % shape.vocabulary());
        }
        Sequence sequence = driver.open(SeqRequest.of(prompt));
        try {
            long begin = System.nanoTime();
            int token = pick(driver, sequence);
            long middle = System.nanoTime();
            for (int i = 0; i < decode; i++) {
                driver.commit(sequence, token);
                token = pick(driver, sequence);
            }
            long end = System.nanoTime();
            return new double[] {prefill / ((middle - begin) / 1e9), decode / ((end - middle) / 1e9)};
        } finally {
            driver.release(sequence);
        }
    }

    private static int pick(ServingDriver driver, Sequence sequence) throws Exception {
        while (true) {
            switch (driver.step(List.of(RowWork.of(sequence))).get(0)) {
                case RowResult.Fed fed -> { }
                case RowResult.Picked p -> {
                    return p.pick().token();
                }
                case RowResult.Logits l -> throw new CommandFailure("the driver gave logits where a token was asked for");
                case RowResult.Failed f -> throw new CommandFailure(f.fault().message());
            }
        }
    }

    private static double[] sorted(List<double[]> runs, int column) {
        double[] values = runs.stream().mapToDouble(r -> r[column]).toArray();
        Arrays.sort(values);
        return values;
    }
}
