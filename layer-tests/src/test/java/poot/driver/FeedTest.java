package poot.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import poot.api.driver.GenerateLimits;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Program;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.TraceLimits;
import poot.api.graph.Weight;
import poot.api.model.KvLayout;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.driver.ModelHandle;
import poot.core.sample.Head;
import poot.core.sample.SamplingSuffix;
import poot.oracleexec.OracleExecutor;

/** A step that only feeds has no head, and nothing that only a head needs. */
class FeedTest {
    private static final int[] PROMPT = {5, 9, 1, 17, 3, 22, 8, 8, 13, 2, 19};

    @Test
    void theHeadOfAFeedIsNotComputed() throws Exception {
        Program feed = compiled(new Head.Feed());
        Program greedy = compiled(Head.Sample.GREEDY);
        assertTrue(roles(greedy).contains(Role.of("head")));
        assertEquals(new TreeSet<>(Set.of(Role.of("embedding"), Role.of("key"), Role.of("value"))), roles(feed),
                "what fills the cache, and no more");
        assertTrue(feed.graph().outputs().isEmpty());
        assertEquals(greedy.graph().states().size(), feed.graph().states().size());
        assertEquals(greedy.graph().validations().size(), feed.graph().validations().size());
        assertTrue(feed.kernels().size() < greedy.kernels().size());
    }

    @Test
    void wholeChunksOfALongPromptAreFed() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withPrefillChunk(4))) {
            assertEquals(1, d.entries().stream().filter(e -> e.endsWith("feed")).count(), d.entries().toString());
        }
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withPrefillChunk(32))) {
            assertTrue(d.entries().stream().noneMatch(e -> e.endsWith("feed")), "no prompt is longer than the chunk");
        }
    }

    @Test
    void anOutputTokenFedWithMoreToComeIsCounted() throws Exception {
        SamplingParams s = SamplingParams.GREEDY.withFrequency(1.5f).withLogprobs(3);
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withPrefillChunk(4))) {
            Sequence all = d.open(SeqRequest.of(PROMPT).withSampling(s));
            Sequence few = d.open(SeqRequest.of(PROMPT).withSampling(s));
            for (Sequence row : List.of(all, few)) {
                for (int token : new int[] {6, 6, 4, 6, 11}) {
                    d.commit(row, token);
                }
            }
            RowResult whole = Toy.feed(d, all);
            RowResult cut = d.step(List.of(new RowWork(few, 3))).getFirst();
            while (cut instanceof RowResult.Fed) {
                cut = d.step(List.of(new RowWork(few, 3))).getFirst();
            }
            RowResult.Picked a = assertInstanceOf(RowResult.Picked.class, whole);
            RowResult.Picked b = assertInstanceOf(RowResult.Picked.class, cut);
            assertEquals(a.pick().token(), b.pick().token());
            assertEquals(a.pick().logprob(), b.pick().logprob(), 1e-5f);
        }
    }

    @Test
    void aPromptInChunksGoesOnAsInOne() throws Exception {
        GenerateLimits limits = new GenerateLimits(10, Set.of());
        SeqRequest request = SeqRequest.of(PROMPT).withSampling(SamplingParams.draw(1.3f, 9));
        try (ServingDriver one = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withPrefillChunk(16));
                ServingDriver many = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withPrefillChunk(4))) {
            assertArrayEquals(one.generate(request, limits, t -> true).tokens(), many.generate(request, limits, t -> true).tokens());
        }
    }

    private static Program compiled(Head head) throws Exception {
        ToyModel model = ToyModel.plain();
        StepShape shape = StepShape.step(1, 4, 32).withLayout(new KvLayout.Contiguous(1));
        Graph traced = model.trace(new StepSpec(ProgramName.STEP, shape, Set.of()), TraceLimits.DEFAULT);
        Graph graph = SamplingSuffix.append(traced, shape, head, TraceLimits.DEFAULT);
        try (ModelHandle handle = ModelHandle.of(model, ToyModel.store())) {
            Map<Role, Weight> weights = handle.weights();
            return Compiler.compile(graph, weights, new OracleExecutor().target(), new CompileOptions(true));
        }
    }

    private static Set<Role> roles(Program p) {
        return p.graph().equations().stream().map(e -> e.op()).filter(Op.Const.class::isInstance)
                .map(o -> ((Op.Const) o).role()).collect(Collectors.toCollection(TreeSet::new));
    }
}
