package poot.acceptance;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Generation;
import poot.api.driver.HeadKind;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepFault;
import poot.api.executor.Executor;
import poot.api.model.LoadException;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.step.Backend;
import poot.step.Serving;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Loads every file of the malformed set, and steps those that load, in a process of its own under a small heap. Writes
 * a line a file: name, outcome, milliseconds, message. Nothing but a load's typed refusal is caught.
 */
final class MalformedRun {
    /** How a file ends. */
    enum Outcome { REJECTED, FAULTED, RUNS }

    /** Between the fields of a line. */
    static final String TAB = "\t";

    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withCapacity(16).withPrefillChunk(4)
            .withHeads(EnumSet.of(HeadKind.GREEDY));

    private record Result(Outcome outcome, String message) {}

    private MalformedRun() {}

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        JsonNode files = JsonMapper.shared().readTree(root.resolve("manifest.json").toFile()).get("files");
        try (Executor executor = Backend.CPU.open()) {
            for (int pass = 0; pass < 2; pass++) {
                for (JsonNode f : files) {
                    String name = f.get("file").asString();
                    System.err.println(name);
                    long begin = System.nanoTime();
                    Result r = run(root.resolve(name), executor);
                    long millis = (System.nanoTime() - begin) / 1_000_000;
                    if (pass == 1) {
                        System.out.println(String.join(TAB, name, r.outcome.name(), Long.toString(millis), r.message));
                    }
                }
            }
        }
    }

    private static Result run(Path file, Executor executor) throws Exception {
        try (ModelHandle handle = ModelHandle.load(file, Families.registry(), LoadOptions.DEFAULT);
                ServingDriver driver = Serving.open(handle, executor, OPTIONS)) {
            Generation g = driver.generate(SeqRequest.of(0, 1, 2, 3), new GenerateLimits(4, Set.of()), p -> true);
            String message = g.fault().map(StepFault::message).orElse("");
            handle.text().orElseThrow().decode(g.tokens(), false);
            return new Result(g.finish() == Generation.Finish.FAILED ? Outcome.FAULTED : Outcome.RUNS, message);
        } catch (LoadException e) {
            return new Result(Outcome.REJECTED, e.getMessage().replaceAll("\\s+", " "));
        }
    }
}
