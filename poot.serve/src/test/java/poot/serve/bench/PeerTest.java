package poot.serve.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import poot.api.executor.Residency;
import poot.api.model.KvForm;

class PeerTest {
    private static final Workload PROMPT = new Workload.Prompt(512);
    private static final Workload DECODE = new Workload.Continuation(128, 0, 1);
    private static final Workload DEEP = new Workload.Continuation(128, 2048, 1);
    private static final Workload BATCH = new Workload.Continuation(128, 0, 8);
    private static final Path MODEL = Path.of("/models/a b.gguf");

    private static String told(String output, Workload workload) {
        return assertThrows(BenchException.class, () -> PeerOutput.speed(output, workload)).getMessage();
    }

    @Test
    void wordsAreFilledInAfterTheyAreSplit() throws Exception {
        PeerCommand c = new PeerCommand("  bench -m {model} '-p {prefill}'  \"\" x\"y z\"{batch} -n {decode} -d {context} -t {threads}", 1);
        assertEquals(List.of("bench", "-m", MODEL.toAbsolutePath().toString(), "-p 512", "", "xy z1", "-n", "0", "-d", "0", "-t", "2"),
                c.words(MODEL, PROMPT, 2));
        assertEquals(List.of("-p 0", "", "xy z8", "-n", "128", "-d", "0"), c.words(MODEL, BATCH, 2).subList(3, 10));
        assertTrue(assertThrows(BenchException.class, () -> new PeerCommand("a 'b", 1)).getMessage().contains("open '"));
        assertThrows(BenchException.class, () -> new PeerCommand("  ", 1));
    }

    @Test
    void aCommandIsNotAskedForWhatItCannotBeTold() throws Exception {
        PeerCommand c = new PeerCommand("bench {model} {prefill} {decode}", 1);
        assertEquals("", c.refusal(PROMPT));
        assertEquals("", c.refusal(DECODE));
        assertTrue(c.refusal(DEEP).contains("{context}"));
        assertTrue(c.refusal(BATCH).contains("{batch}"));
        assertTrue(new PeerCommand("bench {decode}", 1).refusal(PROMPT).contains("{prefill}"));
    }

    @Test
    void theFirstCommandThatCanBeToldIsAsked() throws Exception {
        PeerCommand one = new PeerCommand("one {prefill} {decode} {context}", 1);
        PeerCommand many = new PeerCommand("many {decode} {batch}", 1);
        BenchPlan plan = new BenchPlan("tiny", BenchShape.named("tiny"), List.of(), List.of(),
                new Workbench.Setup("", 1, 1, Residency.AUTO, KvForm.F16, 8), new BenchPlan.Rounds(OptionalInt.of(0), 1), List.of(one, many), Path.of("x"), true);
        assertEquals(List.of(one, one, many), Stream.of(PROMPT, DEEP, BATCH).map(w -> plan.peer(w).orElseThrow()).toList());
        assertEquals("", plan.refusal(BATCH));
        assertEquals("the peer's command has no {batch}; the peer's command has no {context}",
                plan.refusal(new Workload.Continuation(1, 2, 3)));
    }

    @Test
    void aLineOfSpeedsIsRead() throws Exception {
        String out = "loading\n{\"prefill\": 86.5, \"decode\": null}\n";
        assertEquals(86.5, PeerOutput.speed(out, PROMPT));
        assertTrue(told(out, DECODE).contains("decode 128"));
        assertEquals(14, PeerOutput.speed("{not json\n{\"decode\": 14}", DECODE));
    }

    @Test
    void theArrayOfLlamaBenchIsRead() throws Exception {
        String out = """
                [ {"n_prompt": 512, "n_gen": 0, "n_depth": 0, "avg_ts": 45.25, "stddev_ts": 0.1},
                  {"n_prompt": 0, "n_gen": 128, "n_depth": 2048, "avg_ts": 11.5, "samples_ts": [11.5]} ]
                """;
        assertEquals(45.25, PeerOutput.speed(out, PROMPT));
        assertEquals(11.5, PeerOutput.speed(out, DEEP));
        told(out, new Workload.Prompt(128));
        told(out, BATCH);
    }

    @Test
    void theLinesOfTheBatchedBenchAreRead() throws Exception {
        String out = """
                {"pp": 0, "tg": 128, "pl": 1, "speed_pp": 0, "speed_tg": 11.0}
                {"pp": 0, "tg": 128, "pl": 8, "speed_pp": 0, "speed_tg": 60.0}
                """;
        assertEquals(60, PeerOutput.speed(out, BATCH));
        assertEquals(11, PeerOutput.speed(out, DECODE));
    }

    @Test
    void whatTellsNothingIsRefused() {
        for (String out : List.of("", "42", "[]", "[1]", "{}", "{\"decode\": \"12\"}", "{\"decode\": 0}", "{\"decode\": -1}", "[".repeat(100_000))) {
            assertTrue(told(out, DECODE).contains("expected JSON"), out);
        }
    }

    @Test
    void aPeerThatFailsSaysHow() throws Exception {
        String java = "'" + Path.of(System.getProperty("java.home"), "bin", "java") + "'";
        String status = assertThrows(BenchException.class,
                () -> new PeerCommand(java + " -nonsense {decode}", 60).run(MODEL, DECODE, 1)).getMessage();
        assertTrue(status.contains("status 1") && status.contains("nonsense"), status);
        String silent = assertThrows(BenchException.class,
                () -> new PeerCommand(java + " -version {decode}", 60).run(MODEL, DECODE, 1)).getMessage();
        assertTrue(silent.contains("got: nothing"), silent);
        String missing = assertThrows(BenchException.class,
                () -> new PeerCommand("/nowhere/bench {decode}", 60).run(MODEL, DECODE, 1)).getMessage();
        assertTrue(missing.contains("cannot be started"), missing);
        assertFalse(new PeerCommand(java + " {decode}", 60).refusal(DECODE).contains("decode"));
    }
}
