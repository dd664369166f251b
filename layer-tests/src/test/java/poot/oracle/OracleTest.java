package poot.oracle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static poot.api.graph.ElementType.BF16;
import static poot.api.graph.ElementType.BOOL;
import static poot.api.graph.ElementType.F16;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;
import static poot.api.graph.ElementType.U32;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.api.graph.Op;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Op.UnaryKind;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;

/** Every operation against values worked out by hand. */
class OracleTest {
    private static final float NAN = Float.NaN;
    private static final float INF = Float.POSITIVE_INFINITY;

    /** The results of one operation over given operands. */
    private static List<Tensor> applyAll(Op op, Tensor... in) throws TraceException {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Map<String, Tensor> slots = new HashMap<>();
        List<Value> operands = new ArrayList<>();
        for (int i = 0; i < in.length; i++) {
            slots.put("in" + i, in[i]);
            operands.add(b.slot("in" + i, in[i].type()));
        }
        List<Value> results = b.applyAll(op, operands);
        for (int i = 0; i < results.size(); i++) {
            b.output("out" + i, results.get(i));
        }
        return List.copyOf(Oracle.overTensors(Map.of()).run(b.finish(), slots, Map.of()).outputs().values());
    }

    private static Tensor apply(Op op, Tensor... in) throws TraceException {
        return applyAll(op, in).get(0);
    }

    private static Tensor vector(float... x) {
        return Tensor.f32(Shape.of(x.length), x);
    }

    private static Tensor words(ElementType e, int... x) {
        return Tensor.words(TensorType.of(e, x.length), x);
    }

    private static float[] unary(UnaryKind kind, float... x) throws TraceException {
        return apply(new Op.Unary(kind), vector(x)).floats();
    }

    private static float[] binary(BinaryKind kind, Tensor a, Tensor b) throws TraceException {
        return apply(new Op.Binary(kind), a, b).floats();
    }

    private static int[] binary(BinaryKind kind, ElementType e, int[] a, int... b) throws TraceException {
        return apply(new Op.Binary(kind), words(e, a), words(e, b)).words();
    }

    private static int[] ints(int... x) {
        return x;
    }

    private static float[] floats(float... x) {
        return x;
    }

    @Test
    void unaryFunctionsOfFloats() throws TraceException {
        assertArrayEquals(floats(-1.5f, 2, NAN), unary(UnaryKind.NEG, 1.5f, -2, NAN));
        assertArrayEquals(floats(1.5f, 2, INF), unary(UnaryKind.ABS, 1.5f, -2, -INF));
        assertArrayEquals(floats(1, 2.7182817f, 0, INF), unary(UnaryKind.EXP, 0, 1, -INF, 100));
        assertArrayEquals(floats(0, -INF, NAN), unary(UnaryKind.LOG, 1, 0, -1));
        assertArrayEquals(floats(0, 0.84147096f), unary(UnaryKind.SIN, 0, 1));
        assertArrayEquals(floats(1, 0.5403023f), unary(UnaryKind.COS, 0, 1));
        assertArrayEquals(floats(0, 0.7615942f, -1), unary(UnaryKind.TANH, 0, 1, -INF));
        assertArrayEquals(floats(1.5f, NAN), unary(UnaryKind.SQRT, 2.25f, -1));
        assertArrayEquals(floats(0.25f, -INF), unary(UnaryKind.RECIPROCAL, 4, -0f));
        assertArrayEquals(floats(-2, 1, -3), unary(UnaryKind.FLOOR, -1.5f, 1.9f, -3));
        assertArrayEquals(ints(1, 0, 0), apply(new Op.Unary(UnaryKind.IS_FINITE), vector(1, INF, NAN)).words());
    }

    /** Values of the error function from Abramowitz and Stegun, table 7.1. */
    @Test
    void errorFunction() throws TraceException {
        assertArrayEquals(floats(0, 0.112462916f, 0.520499878f, 0.842700793f, -0.995322265f, 1, NAN),
                unary(UnaryKind.ERF, 0, 0.1f, 0.5f, 1, -2, 10, NAN), 6e-8f);
        assertEquals(0.9999779095030014, Elementwise.erf(3), 1e-14);
        assertEquals(0.9999999845827421, Elementwise.erf(4), 1e-14);
        assertEquals(Elementwise.erf(2.9999999), Elementwise.erf(3.0000001), 1e-10);
    }

    @Test
    void unaryFunctionsOfWords() throws TraceException {
        assertArrayEquals(ints(-3, 4), apply(new Op.Unary(UnaryKind.NEG), words(I32, 3, -4)).words());
        assertArrayEquals(ints(3, 4), apply(new Op.Unary(UnaryKind.ABS), words(I32, 3, -4)).words());
        assertArrayEquals(ints(0, 1), apply(new Op.Unary(UnaryKind.NOT), words(BOOL, 1, 0)).words());
    }

    @Test
    void binaryFunctionsOfFloats() throws TraceException {
        Tensor a = vector(7, -7, 7, -7, NAN, 2);
        Tensor b = vector(3, 3, -3, -3, 1, NAN);
        assertArrayEquals(floats(10, -4, 4, -10, NAN, NAN), binary(BinaryKind.ADD, a, b));
        assertArrayEquals(floats(4, -10, 10, -4, NAN, NAN), binary(BinaryKind.SUB, a, b));
        assertArrayEquals(floats(21, -21, -21, 21, NAN, NAN), binary(BinaryKind.MUL, a, b));
        assertArrayEquals(floats(1, 2, -2, -1, NAN, NAN), binary(BinaryKind.REMAINDER, a, b));
        assertArrayEquals(floats(3, -7, -3, -7, 1, 2), binary(BinaryKind.MIN, a, b));
        assertArrayEquals(floats(7, 3, 7, -3, 1, 2), binary(BinaryKind.MAX, a, b));
        assertArrayEquals(floats(3.5f, -INF), binary(BinaryKind.DIV, vector(7, -1), vector(2, 0)));
        assertArrayEquals(floats(8, 0.5f, NAN), binary(BinaryKind.POW, vector(2, 4, -8), vector(3, -0.5f, 0.5f)));
    }

    @Test
    void binaryFunctionsOfWords() throws TraceException {
        assertArrayEquals(ints(Integer.MIN_VALUE, 1), binary(BinaryKind.ADD, I32, ints(Integer.MAX_VALUE, 3), 1, -2));
        assertArrayEquals(ints(-1), binary(BinaryKind.SUB, U32, ints(0), 1));
        assertArrayEquals(ints(1), binary(BinaryKind.MUL, U32, ints(-1), -1));
        assertArrayEquals(ints(-3, 2), binary(BinaryKind.DIV, I32, ints(-7, 7), 3, 3));
        assertArrayEquals(ints(2, -2), binary(BinaryKind.REMAINDER, I32, ints(-7, 7), 3, -3));
        assertArrayEquals(ints(-7, 3), binary(BinaryKind.MIN, I32, ints(-7, 7), 3, 3));
        assertArrayEquals(ints(3, 7), binary(BinaryKind.MAX, I32, ints(-7, 7), 3, 3));
        assertArrayEquals(ints(8), binary(BinaryKind.AND, I32, ints(12), 10));
        assertArrayEquals(ints(14), binary(BinaryKind.OR, I32, ints(12), 10));
        assertArrayEquals(ints(0, 1), binary(BinaryKind.XOR, BOOL, ints(1, 1), 1, 0));
        assertArrayEquals(ints(8, 2), binary(BinaryKind.SHIFT_LEFT, I32, ints(1, 1), 3, 33));
        assertArrayEquals(ints(-1), binary(BinaryKind.SHIFT_RIGHT, I32, ints(-2), 1));
        assertArrayEquals(ints(0x7fffffff), binary(BinaryKind.SHIFT_RIGHT, U32, ints(-2), 1));
        assertThrows(IllegalStateException.class, () -> binary(BinaryKind.DIV, I32, ints(1), 0));
    }

    @Test
    void operandsStretchFromTheirLastAxes() throws TraceException {
        Tensor column = Tensor.f32(Shape.of(2, 1), 10, 20);
        assertArrayEquals(floats(11, 12, 13, 21, 22, 23), binary(BinaryKind.ADD, column, vector(1, 2, 3)));
        assertArrayEquals(floats(11, 21), binary(BinaryKind.ADD, column, Tensor.f32(Shape.SCALAR, 1)));
    }

    @Test
    void comparisons() throws TraceException {
        Tensor a = vector(1, 2, NAN);
        Tensor b = vector(2, 2, NAN);
        int[][] expected = {{0, 1, 0}, {1, 0, 1}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {0, 1, 0}};
        for (CompareKind kind : CompareKind.values()) {
            assertArrayEquals(expected[kind.ordinal()], apply(new Op.Compare(kind), a, b).words(), kind.name());
        }
        assertArrayEquals(ints(1), apply(new Op.Compare(CompareKind.LT), words(I32, -1), words(I32, 1)).words());
        assertArrayEquals(ints(0), apply(new Op.Compare(CompareKind.LT), words(U32, -1), words(U32, 1)).words());
    }

    @Test
    void selection() throws TraceException {
        Tensor condition = Tensor.bool(Shape.of(2, 1), 1, 0);
        assertArrayEquals(floats(1, 2, 9, 9), apply(new Op.Select(), condition, vector(1, 2), Tensor.f32(Shape.SCALAR, 9)).floats());
    }

    @Test
    void castsToNarrowFloatsRoundToEven() throws TraceException {
        // 1 + 2^-11 lies halfway between the F16 neighbours 1 and 1 + 2^-10; 1 + 3·2^-11 halfway to the next even.
        assertArrayEquals(floats(1, 1 + 0x1p-9f, INF, NAN, 0x1p-24f, 0),
                apply(new Op.Cast(F16), vector(1 + 0x1p-11f, 1 + 0x3p-11f, 65520, NAN, 0x1p-24f, 0x1p-25f)).floats());
        assertArrayEquals(floats(1, 1 + 0x1p-6f, INF, NAN),
                apply(new Op.Cast(BF16), vector(1 + 0x1p-8f, 1 + 0x3p-8f, Float.MAX_VALUE, NAN)).floats());
    }

    @Test
    void castsBetweenNumbers() throws TraceException {
        assertArrayEquals(ints(1, -1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE),
                apply(new Op.Cast(I32), vector(1.9f, -1.9f, NAN, 3e9f, -INF)).words());
        assertArrayEquals(ints(1, 0, 0, (int) 3_000_000_000L, -1),
                apply(new Op.Cast(U32), vector(1.9f, -1.9f, NAN, 3e9f, INF)).words());
        assertArrayEquals(ints(1, 0, 1), apply(new Op.Cast(BOOL), vector(0.1f, -0f, NAN)).words());
        assertArrayEquals(floats(4294967296f), apply(new Op.Cast(F32), words(U32, -1)).floats());
        assertArrayEquals(floats(-1), apply(new Op.Cast(F32), words(I32, -1)).floats());
        assertArrayEquals(floats(1, 0), apply(new Op.Cast(F32), words(BOOL, 1, 0)).floats());
        assertArrayEquals(ints(1, 0), apply(new Op.Cast(BOOL), words(I32, -5, 0)).words());
        assertArrayEquals(ints(-5), apply(new Op.Cast(U32), words(I32, -5)).words());
    }

    @Test
    void reductions() throws TraceException {
        Tensor x = Tensor.f32(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
        assertArrayEquals(floats(6, 15), apply(new Op.Reduce(ReduceKind.SUM, 1), x).floats());
        assertArrayEquals(floats(5, 7, 9), apply(new Op.Reduce(ReduceKind.SUM, 0), x).floats());
        assertArrayEquals(floats(6, 120), apply(new Op.Reduce(ReduceKind.PROD, 1), x).floats());
        assertArrayEquals(floats(4, 5, 6), apply(new Op.Reduce(ReduceKind.MAX, 0), x).floats());
        assertArrayEquals(floats(1, 4), apply(new Op.Reduce(ReduceKind.MIN, 1), x).floats());
        assertArrayEquals(ints(Integer.MIN_VALUE),
                apply(new Op.Reduce(ReduceKind.SUM, 0), words(I32, Integer.MAX_VALUE, 1)).words());
        assertEquals(TensorType.of(F32, 2, 1), apply(new Op.Reduce(ReduceKind.SUM, 1), x).type());
    }

    @Test
    void argumentsOfExtremes() throws TraceException {
        assertArrayEquals(ints(1), apply(new Op.ArgReduce(true, 0), vector(NAN, 5, 5, 2)).words());
        assertArrayEquals(ints(3), apply(new Op.ArgReduce(false, 0), vector(NAN, 5, 5, 2)).words());
        Tensor x = Tensor.i32(Shape.of(2, 2), 1, 8, 9, 2);
        assertArrayEquals(ints(1, 0), apply(new Op.ArgReduce(true, 0), x).words());
    }

    @Test
    void largestInFallingOrder() throws TraceException {
        Tensor x = Tensor.f32(Shape.of(2, 4), 1, 3, NAN, 3, -INF, NAN, 0, -1);
        List<Tensor> out = applyAll(new Op.TopK(4), x);
        assertArrayEquals(ints(1, 3, 0, 2, 2, 3, 0, 1), out.get(1).words());
        assertArrayEquals(floats(3, 3, 1, NAN, 0, -1, -INF, NAN), out.get(0).floats());
        assertArrayEquals(ints(1, 3, 2, 3), applyAll(new Op.TopK(2), x).get(1).words());
    }

    @Test
    void scans() throws TraceException {
        Tensor x = Tensor.f32(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
        assertArrayEquals(floats(1, 3, 6, 4, 9, 15), apply(new Op.PrefixScan(ReduceKind.SUM, 1, false), x).floats());
        assertArrayEquals(floats(0, 1, 3, 0, 4, 9), apply(new Op.PrefixScan(ReduceKind.SUM, 1, true), x).floats());
        assertArrayEquals(floats(1, 2, 3, 4, 10, 18), apply(new Op.PrefixScan(ReduceKind.PROD, 0, false), x).floats());
        assertArrayEquals(floats(-INF, 1, 2, -INF, 4, 5), apply(new Op.PrefixScan(ReduceKind.MAX, 1, true), x).floats());
    }

    @Test
    void matrixProducts() throws TraceException {
        Tensor a = Tensor.f32(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
        Tensor b = Tensor.f32(Shape.of(3, 2), 7, 8, 9, 10, 11, 12);
        assertArrayEquals(floats(58, 64, 139, 154), apply(new Op.MatMul(false), a, b).floats());
        Tensor w = Tensor.f32(Shape.of(2, 3), 7, 9, 11, 8, 10, 12);
        assertArrayEquals(floats(58, 64, 139, 154), apply(new Op.MatMul(true), a, w).floats());
        Tensor batch = Tensor.f32(Shape.of(2, 1, 1, 3), 1, 2, 3, 4, 5, 6);
        Tensor ones = Tensor.f32(Shape.of(2, 1, 3), 1, 1, 1, 2, 2, 2);
        assertArrayEquals(floats(6, 12, 15, 30), apply(new Op.MatMul(true), batch, ones).floats());
    }

    @Test
    void movement() throws TraceException {
        Tensor x = Tensor.f32(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
        assertEquals(Tensor.f32(Shape.of(3, 2), 1, 2, 3, 4, 5, 6), apply(new Op.Reshape(Shape.of(3, 2)), x));
        assertEquals(Tensor.f32(Shape.of(3, 2), 1, 4, 2, 5, 3, 6), apply(new Op.Transpose(List.of(1, 0)), x));
        assertEquals(Tensor.f32(Shape.of(2, 2), 2, 3, 5, 6), apply(new Op.Slice(1, 1, 3), x));
        assertEquals(Tensor.f32(Shape.of(1, 3), 4, 5, 6), apply(new Op.Slice(0, 1, 2), x));
        assertEquals(Tensor.f32(Shape.of(2, 4), 1, 2, 3, 8, 4, 5, 6, 9),
                apply(new Op.Concat(1), x, Tensor.f32(Shape.of(2, 1), 8, 9)));
        assertEquals(Tensor.f32(Shape.of(2, 2), 1, 1, 2, 2),
                apply(new Op.Broadcast(Shape.of(2, 2)), Tensor.f32(Shape.of(2, 1), 1, 2)));
        assertEquals(Tensor.f32(Shape.of(2, 6), 0, 1, 2, 3, 0, 0, 0, 4, 5, 6, 0, 0), apply(new Op.Pad(1, 1, 2), x));
        assertArrayEquals(floats(1, 3, 2, 4),
                apply(new Op.Transpose(List.of(0, 2, 1)), Tensor.f32(Shape.of(1, 2, 2), 1, 2, 3, 4)).floats());
    }

    @Test
    void indexing() throws TraceException {
        Tensor x = Tensor.f32(Shape.of(3, 2), 1, 2, 3, 4, 5, 6);
        assertEquals(Tensor.f32(Shape.of(2, 2, 2), 5, 6, 0, 0, 1, 2, 0, 0),
                apply(new Op.Gather(), x, Tensor.i32(Shape.of(2, 2), 2, -1, 0, 3)));
        assertEquals(Tensor.f32(Shape.of(3, 1), 2, 3, 0), apply(new Op.TakeAlong(), x, Tensor.i32(Shape.of(3, 1), 1, 0, 2)));
        Tensor rows = Tensor.f32(Shape.of(3, 2), 10, 20, 30, 40, 50, 60);
        assertEquals(Tensor.f32(Shape.of(3, 2), 50, 60, 3, 4, 10, 20),
                apply(new Op.ScatterUpdate(false), x, Tensor.i32(Shape.of(3), 2, -1, 0), rows));
        assertEquals(Tensor.f32(Shape.of(3, 2), 61, 82, 3, 4, 5, 6),
                apply(new Op.ScatterUpdate(true), x, Tensor.i32(Shape.of(3), 0, 7, 0),
                        Tensor.f32(Shape.of(3, 2), 10, 20, 30, 40, 50, 60)));
        assertThrows(IllegalStateException.class,
                () -> apply(new Op.ScatterUpdate(false), x, Tensor.i32(Shape.of(3), 0, 1, 0), rows));
    }

    @Test
    void counting() throws TraceException {
        assertEquals(Tensor.i32(Shape.of(2, 3), 0, 1, 2, 0, 1, 2), apply(new Op.Iota(Shape.of(2, 3), 1)));
        assertEquals(Tensor.i32(Shape.of(2, 3), 0, 0, 0, 1, 1, 1), apply(new Op.Iota(Shape.of(2, 3), 0)));
    }

    /** The known-answer vectors of the Random123 distribution for philox4x32, ten rounds. */
    @Test
    void philox() {
        assertArrayEquals(ints(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8), Philox.block(ints(0, 0), ints(0, 0, 0, 0)));
        assertArrayEquals(ints(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd), Philox.block(ints(-1, -1), ints(-1, -1, -1, -1)));
        assertArrayEquals(ints(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1),
                Philox.block(ints(0xa4093822, 0x299f31d0), ints(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344)));
    }

    @Test
    void randomBitsOfARowDependOnItsKeyAndCounterAlone() throws TraceException {
        Tensor key = Tensor.words(TensorType.of(U32, 2, 2), ints(0, 0, 5, 6));
        Tensor counter = Tensor.words(TensorType.of(U32, 2, 2), ints(0, 0, 7, 8));
        int[] bits = apply(new Op.RandomBits(6), key, counter).words();
        assertArrayEquals(ints(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8), Arrays.copyOf(bits, 4));
        int[] second = Philox.block(ints(5, 6), ints(7, 8, 1, 0));
        assertArrayEquals(ints(second[0], second[1]), Arrays.copyOfRange(bits, 10, 12));
    }

    @Test
    void compositesEvaluateTheirBodies() throws TraceException {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value x = b.slot("x", TensorType.of(F32, 2));
        b.output("y", b.composite(new Composite.Activate(Composite.Activation.RELU), List.of(x),
                (body, in) -> body.max(in.get(0), body.scalar(0f))));
        assertArrayEquals(floats(0, 3),
                Oracle.overTensors(Map.of()).run(b.finish(), Map.of("x", vector(-1, 3)), Map.of()).output("y").floats());
    }

    @Test
    void leavesStatesAndValidations() throws TraceException {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Role role = Role.layer(0).in("scale");
        Value before = b.state("carry", TensorType.of(F32, 2));
        Value after = b.mul(b.add(before, b.slot("x", TensorType.of(F32, 2))), b.weight(role, 2));
        b.carry("carry", before, after);
        b.validate("carry is below ten", b.compare(CompareKind.LT, after, b.scalar(10f)));
        Tensor old = vector(1, 2);
        Oracle.Result r = Oracle.overTensors(Map.of(role, vector(2, 3)))
                .run(b.finish(), Map.of("x", vector(1, 2)), Map.of("carry", old));
        assertArrayEquals(floats(4, 12), r.states().get("carry").floats());
        assertEquals(Map.of("carry is below ten", List.of(1)), r.failures());
        assertArrayEquals(floats(1, 2), old.floats());
        assertThrows(IllegalStateException.class,
                () -> Oracle.overTensors(Map.of()).run(b.finish(), Map.of("x", old), Map.of("carry", old)));
    }
}
