package poot.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.States;
import poot.api.executor.Target;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.Composite.Activation;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Equation;
import poot.api.graph.Format;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.compile.Explanation;
import poot.core.kernel.device.Launch;
import poot.core.kernel.execute.DeviceExecutor;
import poot.core.quant.QuantFormats;
import poot.families.components.Nonlinearity;

/**
 * What a token costs that two of eight experts feed forward, a quarter as wide as Mixtral's: bytes by the program, with the
 * experts read where they are stored and gathered first. Written to {@code target/experts-*.md}.
 */
class ExpertBytesTest {
    private static final int EXPERTS = 8;
    private static final int WIDTH = 1024;
    private static final int HIDDEN = 3584;

    /** Another target, which gathers. */
    private record Gathering(Target of) implements Target {
        @Override
        public String name() {
            return of.name();
        }

        @Override
        public boolean claims(Composite composite) {
            return of.claims(composite);
        }

        @Override
        public Optional<String> refusal(Equation equation) {
            return of.refusal(equation);
        }

        @Override
        public boolean reads(Format format) {
            return of.reads(format);
        }
    }

    private static Graph graph() throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value x = b.slot("x", TensorType.of(ElementType.F32, 1, 1, 1, WIDTH));
        Value which = b.slot("which", TensorType.of(ElementType.I32, 1, 2));
        Value gate = product(b, x, "gate", which, HIDDEN, WIDTH);
        Value hidden = Nonlinearity.gate(b, Activation.SILU, gate, product(b, x, "up", which, HIDDEN, WIDTH));
        b.output("y", product(b, hidden, "down", which, WIDTH, HIDDEN));
        return b.finish();
    }

    private static Value product(Builder b, Value x, String role, Value which, int n, int k) throws Exception {
        return b.matMulTransposed(x, b.gather(b.weight(Role.of(role), EXPERTS, n, k), which));
    }

    @ParameterizedTest
    @EnumSource(names = {"BF16", "Q4_K"})
    void aTokenReadsItsExpertsOnce(Encoding e) throws Exception {
        Graph graph = graph();
        DryDevice device = DryDevice.cuda(90);
        DeviceExecutor executor = new DeviceExecutor(device);
        try (Arena arena = Arena.ofConfined()) {
            Shape in = Shape.of(EXPERTS, HIDDEN, WIDTH);
            var bytes = arena.allocate(in.count() / e.blockElements() * e.blockBytes(), 64);
            Weight wide = Weight.whole("wide", QuantFormats.of(e), in, List.of(bytes));
            Weight back = Weight.whole("back", QuantFormats.of(e), Shape.of(EXPERTS, WIDTH, HIDDEN), List.of(bytes));
            Map<Role, Weight> weights = Map.of(Role.of("gate"), wide, Role.of("up"), wide, Role.of("down"), back);
            Explanation stored = Explanation.of(graph, weights, executor.target(), CompileOptions.VERIFIED);
            Explanation gathered = Explanation.of(graph, weights, new Gathering(executor.target()), CompileOptions.VERIFIED);
            assertEquals(stored.flops(), gathered.flops());
            assertTrue(stored.bytesMoved() < 1.01 * stored.minimum(), stored.bytesMoved() + " bytes, least " + stored.minimum());
            try (Executable executable = executor.load(weights);
                    Entry entry = executable.addEntry(Compiler.compile(graph, weights, executor.target(), CompileOptions.VERIFIED));
                    States none = executable.allocate(Map.of())) {
                entry.run(none);
                assertEquals(List.of("row_product", "row_product"), device.recorded().stream().filter(c -> c instanceof Launch)
                        .map(c -> ((Launch) c).kernel().kernel().name()).toList());
            }
            Files.writeString(Path.of("target", "experts-" + e + ".md"), String.format(Locale.ROOT,
                    "| %s | %.1f MB, %.3f of the least, arena %.2f MB | %.1f MB, %.3f of the least, arena %.2f MB |%n", e,
                    stored.bytesMoved() / 1e6, (double) stored.bytesMoved() / stored.minimum(), stored.arenaBytes() / 1e6,
                    gathered.bytesMoved() / 1e6, (double) gathered.bytesMoved() / gathered.minimum(), gathered.arenaBytes() / 1e6));
        }
    }
}
