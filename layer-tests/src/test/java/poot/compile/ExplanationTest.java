package poot.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.executor.Executor;
import poot.api.executor.Fusion;
import poot.api.graph.Graph;
import poot.api.graph.TraceLimits;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.core.compile.CompileOptions;
import poot.core.compile.Explanation;
import poot.core.compile.KernelCost;
import poot.core.compile.PassEffect;
import poot.families.Families;
import poot.fixtures.Fixture;
import poot.golden.OpenModel;
import poot.step.Backend;

/** What the compiler says of its work on a decoder, one with more norms, and an encoder. */
class ExplanationTest {
    @TempDir
    private Path directory;

    private Explanation explained(String fixture, int tokens, Fusion fusion) throws Exception {
        try (OpenModel m = OpenModel.open(new Fixture(fixture).write(directory), Families.registry()); Executor executor = Backend.CPU.open()) {
            boolean steps = m.model().schema().program(ProgramName.STEP).isPresent();
            Graph g = m.model().trace(steps ? StepSpec.of(ProgramName.STEP, StepShape.step(1, tokens, 48))
                    : StepSpec.of(ProgramName.ENCODE, StepShape.encode(1, tokens)), TraceLimits.DEFAULT);
            return Explanation.of(g, m.weights(), executor.target(), CompileOptions.VERIFIED.withFusion(fusion));
        }
    }

    @Test
    void passesAreToldInOrderAndAddUp() throws Exception {
        for (String name : List.of("llama", "gemma2", "bert-mean")) {
            Explanation e = explained(name, 1, Fusion.FULL);
            for (int i = 1; i < e.passes().size(); i++) {
                assertEquals(e.passes().get(i - 1).after(), e.passes().get(i).before(), name + ", " + e.passes().get(i));
            }
            assertEquals(e.kernels().size(), e.passes().getLast().after());
            assertTrue(e.passes().stream().allMatch(p -> p.fired() || p.removed() == 0), name);
            assertEquals(List.of("FuseElementwise", "ShareOperand", "FuseEpilogues", "FuseRows"),
                    e.passes().subList(e.passes().size() - 4, e.passes().size()).stream().map(PassEffect::pass).toList());
        }
    }

    @Test
    void fusionMovesFewerBytesAndComputesTheSame() throws Exception {
        for (String name : List.of("llama", "gemma2", "bert-mean")) {
            Explanation off = explained(name, 8, Fusion.OFF);
            Explanation full = explained(name, 8, Fusion.FULL);
            assertEquals(off.flops(), full.flops(), name);
            assertEquals(off.minimum(), full.minimum(), name);
            assertTrue(full.bytesMoved() < off.bytesMoved(), name);
            assertTrue(full.bytesMoved() >= full.minimum(), name);
            assertTrue(full.kernels().size() < 0.6 * off.kernels().size(), name);
            assertTrue(full.peakBytes() <= full.arenaBytes() && full.peakBytes() > 0, name);
        }
    }

    /** The last product of the fixture: 40 features to 288 tokens, F32. */
    @Test
    void aProductReadsItsWeightAndItsRow() throws Exception {
        KernelCost last = explained("llama", 1, Fusion.FULL).kernels().getLast();
        assertEquals(List.of("mat_mul"), last.operations());
        assertEquals(4 * (40 + 40 * 288), last.read());
        assertEquals(4 * 288, last.written());
        assertEquals(2 * 40 * 288, last.flops());
    }
}
