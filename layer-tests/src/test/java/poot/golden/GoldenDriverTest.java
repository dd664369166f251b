package poot.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.driver.DriverOptions;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.graph.ElementType;
import poot.api.model.Model;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.golden.GoldenFamilies.Case;
import poot.oracle.Tensor;
import poot.step.Backend;

/** Every golden checkpoint through the driver on the CPU: prefill, chunks, single tokens and a batch agree with the references. */
class GoldenDriverTest {
    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withRows(3).withCapacity(64).withKv(ElementType.F32)
            .withPrefillChunk(64).withHeads(EnumSet.of(HeadKind.GREEDY, HeadKind.LOGITS)).withEncodeTokens(64).withVerify(true);

    static Stream<Case> decoders() {
        return GoldenFamilies.decoders();
    }

    static Stream<Case> encoders() {
        return GoldenFamilies.encoders();
    }

    private static ServingDriver serving(Golden g, Case c, Executor executor) throws Exception {
        try (ModelHandle handle = ModelHandle.load(g.checkpoint(c.form()), Families.registry(), LoadOptions.DEFAULT)) {
            Model model = handle.model();
            DriverOptions options = OPTIONS.withCapacity(Math.min(64, model.config().contextLength()));
            return switch (Driver.over(handle, executor, options).prepare()) {
                case Preparation.Ready r -> r.driver();
                case Preparation.Refused r -> throw new AssertionError(r.fault().message());
            };
        }
    }

    @ParameterizedTest
    @MethodSource("decoders")
    void decoder(Case c) throws Exception {
        Golden g = Golden.read(c.family().name());
        try (Executor executor = Backend.CPU.open(); ServingDriver d = serving(g, c, executor)) {
            for (int p = 0; p < g.prompts().size(); p++) {
                for (int chunk : new int[] {64, 16, 1}) {
                    near(last(g.expected(p, c.variant())), logits(d, g.prompts().get(p), chunk), "prompt " + p + " by " + chunk);
                }
                int n = g.greedy().get(p).length;
                int[] alone = d.generate(SeqRequest.of(g.prompts().get(p)), new GenerateLimits(n, Set.of()), t -> true).tokens();
                assertArrayEquals(g.greedy().get(p), alone, "greedy continuation of prompt " + p);
            }
            together(d, g);
        }
    }

    private static float[] logits(ServingDriver d, int[] prompt, int chunk) throws Exception {
        Sequence s = d.open(SeqRequest.of(prompt).withLogits());
        try {
            RowResult r = d.step(List.of(new RowWork(s, chunk))).getFirst();
            while (r instanceof RowResult.Fed) {
                r = d.step(List.of(new RowWork(s, chunk))).getFirst();
            }
            return assertInstanceOf(RowResult.Logits.class, r, r.toString()).logits();
        } finally {
            d.release(s);
        }
    }

    /** All prompts open at once, each step feeding every row. */
    private static void together(ServingDriver d, Golden g) throws Exception {
        List<Sequence> open = new ArrayList<>();
        List<List<Integer>> got = new ArrayList<>();
        for (int[] p : g.prompts()) {
            open.add(d.open(SeqRequest.of(p)));
            got.add(new ArrayList<>());
        }
        int n = g.greedy().getFirst().length;
        while (got.stream().anyMatch(ids -> ids.size() < n)) {
            for (RowResult r : d.step(open.stream().filter(s -> got.get(open.indexOf(s)).size() < n).map(RowWork::of).toList())) {
                RowResult.Picked p = assertInstanceOf(RowResult.Picked.class, r, r.toString());
                got.get(open.indexOf(p.sequence())).add(p.pick().token());
                d.commit(p.sequence(), p.pick().token());
            }
        }
        for (int i = 0; i < open.size(); i++) {
            assertArrayEquals(g.greedy().get(i), got.get(i).stream().mapToInt(t -> t).toArray(), "prompt " + i + " in a batch");
            d.release(open.get(i));
        }
        assertEquals(3, d.freeRows());
    }

    @ParameterizedTest
    @MethodSource("encoders")
    void encoder(Case c) throws Exception {
        Golden g = Golden.read(c.family().name());
        try (Executor executor = Backend.CPU.open(); ServingDriver d = serving(g, c, executor)) {
            List<EncodeResult> results = d.encode(g.prompts().stream().map(EncodeRow::of).toList());
            for (int p = 0; p < results.size(); p++) {
                float[] got = switch (results.get(p)) {
                    case EncodeResult.Embedding e -> e.vector();
                    case EncodeResult.Score s -> new float[] {s.score()};
                    case EncodeResult.Failed f -> throw new AssertionError(f.fault().message());
                };
                near(g.expected(p, c.variant()).floats(), got, "prompt " + p);
            }
        }
    }

    private static float[] last(Tensor expected) {
        int width = expected.shape().dim(-1);
        return Arrays.copyOfRange(expected.floats(), expected.count() - width, expected.count());
    }

    private static void near(float[] expected, float[] actual, String what) {
        assertEquals(expected.length, actual.length, what);
        for (int i = 0; i < expected.length; i++) {
            float at = Math.abs(expected[i] - actual[i]);
            assertTrue(at <= GoldenRuns.TOLERANCE, what + " differs by " + at);
        }
    }
}
