package poot.serve.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.Residency;
import poot.api.executor.Fusion;
import poot.api.model.KvForm;
import poot.core.driver.Backends;

/** Which model runs, on what. */
final class ModelOptions {
    /** The environment variable the launcher sets to the folder that holds {@code models/}. */
    private static final String HOME = "POOT_HOME";
    private static final String DEFAULT_MODEL = "models/poot-tiny";

    @Option(names = {"-m", "--model"}, paramLabel = "MODEL",
            description = "A Hugging Face directory, a GGUF file (of a split set, any shard), or hf.co/OWNER/REPO[@REVISION][:FILE or QUANT],"
                    + " which is pulled if it is not cached (see `poot pull`). Default: the small demo model.")
    private String model;

    @Option(names = "--offline", description = "Use the cache alone for a model named by hf.co/...")
    private boolean offline;

    private Path found;

    @Option(names = "--backend", paramLabel = "NAME",
            description = "The backend to run on (see `poot backends`). Default: the best available.")
    private String backend;

    @Option(names = "--threads", paramLabel = "N", description = "Worker threads of the CPU; a device has its own and refuses any number."
            + " Default: one per core.")
    private int threads;

    @Option(names = "--weights", paramLabel = "WHERE", defaultValue = "auto",
            description = "Where a CPU reads weights: mapped (the file itself), copied (in memory of its own, in the order"
                    + " they are read), or auto: copied where there is memory to spare. A device copies them always and refuses mapped."
                    + " Default: ${DEFAULT-VALUE}.")
    private Residency weights;

    @Option(names = "--context", paramLabel = "N",
            description = "Positions the cache can hold. Default: what the request needs, up to the model's context.")
    private int context;

    @Option(names = "--kv", paramLabel = "TYPE", defaultValue = "f32",
            description = "How keys and values are cached: f32, f16, bf16 or q8_0. Default: ${DEFAULT-VALUE}.")
    private String kv;

    @Option(names = "--fusion", paramLabel = "HOW", defaultValue = "full",
            description = "How far the compiler joins operations into kernels: full, pointwise or off; the results are the same."
                    + " Default: ${DEFAULT-VALUE}.")
    private Fusion fusion;

    Fusion fusion() {
        return fusion;
    }

    /** The checkpoint to open; one that is named by a reference and not cached is pulled on the first call. */
    Path path() throws CommandFailure {
        if (found == null) {
            found = model != null ? NamedModel.path(model, offline, new Console()) : demo();
        }
        return found;
    }

    /** The demo model. */
    static Path demo() throws CommandFailure {
        String home = System.getenv(HOME);
        Path found = Path.of(home == null ? "." : home).resolve(DEFAULT_MODEL);
        if (!Files.isDirectory(found)) {
            throw new CommandFailure("no --model given, and the demo model is not at " + found
                    + "; name a model, or set " + HOME + " to the folder that holds " + DEFAULT_MODEL);
        }
        return found;
    }

    ExecutorOptions executor() throws CommandFailure {
        if (threads < 0) {
            throw new CommandFailure("--threads " + threads + ": give a positive number");
        }
        return new ExecutorOptions(threads, weights);
    }

    /** The backend asked for, or the best. */
    Executor open() throws CommandFailure, ExecutorException {
        return backend == null ? Backends.best(executor()) : Backends.open(backend, executor());
    }

    KvForm kv() throws CommandFailure {
        return switch (kv.toLowerCase(Locale.ROOT)) {
            case "f32" -> KvForm.F32;
            case "f16" -> KvForm.F16;
            case "bf16" -> KvForm.BF16;
            case "q8_0" -> KvForm.Q8_0;
            default -> throw new CommandFailure("--kv " + kv + ": give f32, f16, bf16 or q8_0");
        };
    }

    /** Positions to prepare for a request of {@code needed}, under a model made for {@code limit}. */
    int capacity(long needed, int limit) throws CommandFailure {
        if (context < 0) {
            throw new CommandFailure("--context " + context + ": give a positive number");
        }
        if (context > limit) {
            throw new CommandFailure("--context " + context + ": the model was made for " + limit + " positions");
        }
        return context > 0 ? context : (int) Math.min(limit, (needed + 255) / 256 * 256);
    }
}
