package poot.serve.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import poot.api.executor.Residency;
import poot.api.model.KvForm;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FiguresTest {
    /** 1 layer of 2 heads of 4 over 1 key/value head; 8 hidden, 16 inner, 32 tokens. */
    private static final BenchShape SMALL = new BenchShape("llama", 1, 8, 2, 1, 4, 16, 32, 1e4, false, 64);

    @Test
    void theMiddleIsTheMedian() {
        Spread odd = new Spread(List.of(3.0, 1.0, 2.0));
        assertEquals(List.of(2.0, 1.0, 3.0), List.of(odd.median(), odd.least(), odd.greatest()));
        assertEquals(2.5, new Spread(List.of(4.0, 2.0, 3.0, 1.0)).median());
        assertThrows(IllegalArgumentException.class, () -> new Spread(List.of()));
    }

    @Test
    void theSmallShapeIsCounted() {
        assertEquals(8 * 4 * (2 * 2 + 2 * 1) + 3 * 8 * 16, SMALL.blockWeights());
        assertEquals(8 * 32, SMALL.headWeights());
        assertEquals(2 * 4, SMALL.cacheElements());
        assertEquals(4 * 2 * 4, SMALL.attentionOperations());
    }

    @Test
    void aContinuationsWorkIsCounted() {
        // Two rows, three tokens each behind ten filled positions and one unmeasured token: 12, 13 and 14 are looked at.
        Work w = Work.of(new Workload.Continuation(3, 10, 2), SMALL, 1000, 2, 512);
        assertEquals(3 * 1000, w.weightBytes());
        assertEquals((2 * (12 + 13 + 14) + 6) * 8 * 2, w.cacheBytes());
        assertEquals(2 * 6 * (SMALL.blockWeights() + SMALL.headWeights()) + 32 * 2 * (12 + 13 + 14), w.operations());
        assertEquals(w.weightBytes() + w.cacheBytes(), w.bytes());
    }

    @Test
    void aPromptsWorkIsCounted() {
        // Two chunks of four: the second reads the first's four positions.
        Work w = Work.of(new Workload.Prompt(8), SMALL, 1000, 2, 4);
        assertEquals(2 * 1000, w.weightBytes());
        assertEquals((8 + 4) * 8 * 2, w.cacheBytes());
        assertEquals(2 * 8 * SMALL.blockWeights() + 2 * SMALL.headWeights() + 32 * 36, w.operations());
    }

    @Test
    void limitsAreMeasured() throws Exception {
        MachineLimits limits = MachineLimits.measure(1);
        assertTrue(limits.readBytes() > 1e7 && limits.operations() > 1e7, limits.toString());
        assertEquals(new MachineLimits(3, 2), new MachineLimits(1, 2).or(new MachineLimits(3, 1)));
        assertTrue(MachineDescription.here().cores() >= 1);
    }

    @Test
    void everyFigureIsInTheJson() throws Exception {
        Workload workload = new Workload.Continuation(4, 16, 1);
        BenchPlan plan = new BenchPlan("small", SMALL, List.of(WeightMix.Q8_0), List.of(workload),
                new Workbench.Setup("", 2, 2, Residency.AUTO, KvForm.F16, 512), new BenchPlan.Rounds(OptionalInt.of(1), 2), List.of(new PeerCommand("x {batch}", 1)), Path.of("x"), true);
        Measured m = new Measured(WeightMix.Q8_0, workload, new Spread(List.of(10.0, 20.0)), new Work(4000, 400, 8e6),
                new StepFacts(7, 640, 25), new Measured.Loaded(0.5, 1000, 99, 1), Optional.of(new Spread(List.of(20.0, 10.0))), "");
        MachineLimits limits = new MachineLimits(1e6, 1e9);
        JsonNode o = JsonMapper.shared().valueToTree(BenchReport.json(plan, MachineDescription.here(), limits, List.of(m)));
        assertEquals(1e6, o.at("/limits/read_bytes_per_s").asDouble());
        assertEquals("x {batch}", o.at("/peer_commands/0").asString());
        assertEquals("F16", o.get("kv").asString());
        JsonNode r = o.get("results").get(0);
        assertEquals("decode", r.at("/workload/kind").asString());
        assertEquals(16, r.at("/workload/context").asInt());
        assertEquals(15, r.at("/tokens_per_s/median").asDouble());
        assertEquals(1100 * 15, r.get("bytes_per_s").asDouble());
        assertEquals(1100 * 15 / 1e6, r.get("bytes_fraction").asDouble());
        assertEquals(2e6 * 15 / 1e9, r.get("operations_fraction").asDouble());
        assertEquals(1100, r.at("/bytes_per_token/least").asDouble());
        assertEquals(1125, r.at("/bytes_per_token/moved").asDouble());
        assertEquals(7, r.get("dispatches_per_step").asInt());
        assertEquals(1, r.at("/peer/ratio/of_medians").asDouble());
        assertEquals(0.5, r.at("/peer/ratio/least").asDouble());
        assertTrue(BenchReport.line(plan, m, limits).contains("ratio 1.00 (0.50–2.00)"), BenchReport.line(plan, m, limits));
    }
}
