package poot.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import poot.api.executor.BufferPlan.Place;
import poot.api.executor.Kernel;
import poot.api.executor.Program;
import poot.api.executor.Target;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.Encoding;
import poot.api.graph.Equation;
import poot.api.graph.Format;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.core.compile.CompileException;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.compile.Verifier;
import poot.core.quant.QuantFormats;

/** What a program looks like, and what the compiler refuses. */
class CompilerTest {
    private static final Role W = Role.of("w");

    /** Runs everything but what a test takes away. */
    private record Limited(boolean claims, Class<? extends Op> lacks, Encoding unread) implements Target {
        @Override
        public String name() {
            return "limited";
        }

        @Override
        public boolean claims(Composite composite) {
            return claims;
        }

        @Override
        public Optional<String> refusal(Equation e) {
            return lacks != null && lacks.isInstance(e.op()) ? Optional.of("no such kernel") : Optional.empty();
        }

        @Override
        public boolean reads(Format format) {
            return format.encoding() != unread;
        }
    }

    private static final Target ALL = new Limited(true, null, null);

    private static Builder builder() {
        return Builder.with(TraceLimits.DEFAULT);
    }

    private static Map<Role, Weight> weight(Encoding e, int... dims) {
        return Map.of(W, Weight.whole("block.w", QuantFormats.of(e), Shape.of(dims), List.of()));
    }

    private static Program compile(Builder b, Map<Role, Weight> weights) throws CompileException {
        return Compiler.compile(b.finish(), weights, ALL, CompileOptions.VERIFIED);
    }

    private static Place place(Program p, Value v) {
        return p.buffers().places().get(v.id());
    }

    @Test
    void aWeightReadIsRepeatedInsideEveryKernelThatConsumesIt() throws Exception {
        Builder b = builder();
        Value x = b.slot("x", TensorType.of(F32, 2, 32));
        Value w = b.weight(W, 32, 32);
        b.output("y", b.matMulTransposed(b.matMulTransposed(x, w), w));
        Program p = compile(b, weight(Encoding.Q8_0, 32, 32));
        assertEquals(2, p.kernels().size());
        for (Kernel k : p.kernels()) {
            assertEquals(Kernel.Kind.CONTRACTION, k.kind());
            assertInstanceOf(Op.PackedDecode.class, k.equations().getFirst().op());
            assertInstanceOf(Op.MatMul.class, k.equations().getLast().op());
            assertInstanceOf(Place.Internal.class, place(p, k.equations().getFirst().output()));
            assertTrue(k.inputs().stream().anyMatch(v -> place(p, v) instanceof Place.WeightBytes));
        }
    }

    @Test
    void aReshapedWeightReadLiesInTheArena() throws Exception {
        Builder b = builder();
        Value x = b.slot("x", TensorType.of(F32, 2, 8));
        b.output("y", b.mul(x, b.reshape(b.weight(W, 2, 4), 1, 8)));
        Program p = compile(b, weight(Encoding.BF16, 2, 4));
        assertEquals(2, p.kernels().size());
        Value read = p.kernels().getFirst().equations().getFirst().output();
        assertInstanceOf(Place.Arena.class, place(p, read));
        Program f32 = compile(b, weight(Encoding.F32, 2, 4));
        assertEquals(1, f32.kernels().size());
    }

    /** A state scattered into; {@code late} reads the old value afterwards. */
    private static Program scattered(boolean late, boolean carried) throws Exception {
        Builder b = builder();
        Value state = b.state("cache", TensorType.of(F32, 6, 4));
        Value rows = b.slot("rows", TensorType.of(I32, 2));
        Value after = b.scatter(state, rows, b.slot("x", TensorType.of(F32, 2, 4)));
        b.output("read", b.gather(after, rows));
        if (late) {
            b.output("old", b.gather(state, rows));
        }
        b.carry("cache", state, carried ? after : state);
        return compile(b, Map.of());
    }

    @Test
    void aScatterIsInPlaceWhereNobodyReadsTheOldValueLater() throws Exception {
        Value after = scattered(false, true).kernels().getFirst().outputs().getFirst();
        assertInstanceOf(Place.StateBytes.class, place(scattered(false, true), after));
        assertInstanceOf(Place.Arena.class, place(scattered(true, true), after));
        assertInstanceOf(Place.Arena.class, place(scattered(false, false), after));
    }

    @Test
    void valuesShareTheArenaOnceTheyAreDead() throws Exception {
        Builder b = builder();
        Value x = b.slot("x", TensorType.of(F32, 256));
        for (int i = 0; i < 50; i++) {
            x = b.unary(i % 2 == 0 ? Op.UnaryKind.EXP : Op.UnaryKind.TANH, x);
        }
        b.output("y", x);
        assertEquals(2 * 1024, compile(b, Map.of()).buffers().arenaBytes());
    }

    @Test
    void aRefusalNamesTheEquationItsPlaceAndTheCapability() throws Exception {
        Builder b = builder();
        try (Builder.Scope _ = b.scope("layers.3.attention")) {
            b.output("y", b.exp(b.slot("x", TensorType.of(F32, 4))));
        }
        CompileException e = assertThrows(CompileException.class, () -> Compiler.compile(
                b.finish(), Map.of(), new Limited(false, Op.Unary.class, null), CompileOptions.DEFAULT));
        CompileException.Refused r = assertInstanceOf(CompileException.Refused.class, e.fault());
        assertEquals("layers.3.attention", r.scope());
        assertEquals("no such kernel", r.capability());
        assertTrue(r.equation().contains("EXP"), r.equation());
    }

    @Test
    void weightsThatCannotBeBoundAreNamed() throws Exception {
        Builder b = builder();
        b.output("y", b.matMulTransposed(b.slot("x", TensorType.of(F32, 1, 32)), b.weight(W, 32, 32)));
        assertInstanceOf(CompileException.Unbound.class, fault(b.finish(), Map.of(), ALL));
        assertInstanceOf(CompileException.WrongWeight.class, fault(b.finish(), weight(Encoding.F32, 32, 64), ALL));
        assertInstanceOf(CompileException.Refused.class,
                fault(b.finish(), weight(Encoding.Q4_K, 32, 32), new Limited(false, null, Encoding.Q4_K)));
    }

    private static CompileException.CompileFault fault(Graph g, Map<Role, Weight> weights, Target t) {
        return assertThrows(CompileException.class, () -> Compiler.compile(g, weights, t, CompileOptions.VERIFIED)).fault();
    }

    @Test
    void aClaimedCompositeStaysWholeUnlessItsOperandsAreRefused() throws Exception {
        Builder b = builder();
        Value x = b.slot("x", TensorType.of(F32, 4));
        b.output("y", b.composite(new Composite.Activate(Composite.Activation.RELU), List.of(x),
                (body, in) -> body.max(in.getFirst(), body.scalar(0f))));
        Program claimed = compile(b, Map.of());
        assertEquals(Kernel.Kind.CLAIMED, claimed.kernels().getFirst().kind());
        Program inlined = Compiler.compile(b.finish(), Map.of(), new Limited(true, Op.Composed.class, null), CompileOptions.VERIFIED);
        assertEquals(Kernel.Kind.POINTWISE, inlined.kernels().getFirst().kind());
    }

    @Test
    void crossedStatesAreRefused() throws Exception {
        Builder b = builder();
        Value one = b.state("one", TensorType.of(F32, 4));
        Value two = b.state("two", TensorType.of(F32, 4));
        b.carry("one", one, two);
        b.carry("two", two, two);
        assertInstanceOf(CompileException.CrossedStates.class, fault(b.finish(), Map.of(), ALL));
    }

    @Test
    void theVerifierFindsWhatIsIllFormed() throws Exception {
        Value a = new Value(0, TensorType.of(F32, 4));
        Value y = new Value(1, TensorType.of(F32, 4));
        Equation slot = new Equation(new Op.Slot("a", a.type()), List.of(), List.of(a), "");
        Equation exp = new Equation(new Op.Unary(Op.UnaryKind.EXP), List.of(a), List.of(y), "");
        Equation wrong = new Equation(new Op.Unary(Op.UnaryKind.IS_FINITE), List.of(a), List.of(y), "");
        Equation param = new Equation(new Op.Param(0, a.type()), List.of(), List.of(a), "");
        for (List<Equation> broken : List.of(List.of(exp), List.of(exp, slot), List.of(slot, exp, exp), List.of(slot, wrong), List.of(param))) {
            Graph g = new Graph(new ArrayList<>(broken), List.of(), List.of(), List.of());
            CompileException e = assertThrows(CompileException.class, () -> Verifier.check(g, "a test"));
            assertTrue(e.getMessage().startsWith("after a test: "), e.getMessage());
        }
        Graph dangling = new Graph(List.of(slot), List.of(new Graph.Output("y", y)), List.of(), List.of());
        assertThrows(CompileException.class, () -> Verifier.check(dangling, "a test"));
    }
}
