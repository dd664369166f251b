package poot.device;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opentest4j.TestAbortedException;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.graph.Encoding;
import poot.core.driver.Backends;
import poot.golden.GoldenFamilies;
import poot.golden.GoldenFamilies.Case;
import poot.golden.GoldenRuns;
import poot.quant.PackedProductSuite;
import poot.step.ExecutorSession;
import tools.jackson.databind.json.JsonMapper;

/** Goldens of the families and products with packed weights on a backend: what passes, what fails and why. */
public final class DeviceChecks {
    private final String backend;
    private final PrintStream out;
    private final Map<String, String> outcomes = new LinkedHashMap<>();

    private DeviceChecks(String backend, PrintStream out) {
        this.backend = backend;
        this.out = out;
    }

    /** What may fail. */
    private interface Check {
        void run() throws Exception;
    }

    /** {@code backend [file]}: the outcomes are written to the file as JSON; status 1 where one failed. */
    public static void main(String[] arguments) throws Exception {
        DeviceChecks checks = new DeviceChecks(arguments[0], System.out);
        checks.all(GoldenFamilies.encoders().toList(), GoldenFamilies.decoders().toList(), PackedProductSuite.onePart().toList());
        if (arguments.length > 1) {
            Files.writeString(Path.of(arguments[1]), JsonMapper.shared().writeValueAsString(checks.outcomes));
        }
        System.exit(checks.failed().isEmpty() ? 0 : 1);
    }

    /** Some of the checks on a backend; what failed. */
    static List<String> of(String backend, PrintStream out, List<Case> encoders, List<Case> decoders, List<Encoding> encodings) throws Exception {
        DeviceChecks checks = new DeviceChecks(backend, out);
        checks.all(encoders, decoders, encodings);
        return checks.failed();
    }

    private void all(List<Case> encoders, List<Case> decoders, List<Encoding> encodings) throws Exception {
        try (Executor executor = open()) {
            GoldenRuns.Opener opener = (m, base) -> new ExecutorSession(m.model(), m.weights(), base, executor);
            encoders.forEach(c -> check("golden " + c, () -> GoldenRuns.encoder(c, opener)));
            decoders.forEach(c -> check("golden " + c, () -> GoldenRuns.decoder(c, opener)));
        }
        PackedProductSuite products = new PackedProductSuite(this::open, 1, 9) {};
        encodings.forEach(e -> check("product " + e, () -> products.storedProducts(e)));
        check("product GPTQ", products::gptq);
        check("product AWQ", products::awq);
        check("product FP8", products::eightBitFloats);
        out.println(outcomes.size() + " checks on " + backend + ", " + failed().size() + " failed");
    }

    private Executor open() throws ExecutorException {
        return Backends.open(backend, ExecutorOptions.DEFAULT);
    }

    private void check(String what, Check check) {
        String outcome;
        try {
            check.run();
            outcome = "passed";
        } catch (TestAbortedException e) {
            outcome = "skipped: " + e.getMessage();
        } catch (Exception | AssertionError e) {
            outcome = "FAILED: " + e;
        }
        outcomes.put(what, outcome);
        out.println(what + ": " + outcome);
    }

    private List<String> failed() {
        return outcomes.entrySet().stream().filter(e -> e.getValue().startsWith("FAILED")).map(e -> e.getKey() + " " + e.getValue()).toList();
    }
}
