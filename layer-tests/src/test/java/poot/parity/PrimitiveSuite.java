package poot.parity;

import static poot.api.graph.ElementType.BF16;
import static poot.api.graph.ElementType.BOOL;
import static poot.api.graph.ElementType.F16;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;
import static poot.api.graph.ElementType.U32;
import static poot.parity.CpuJudge.floats;
import static poot.parity.CpuJudge.ints;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.graph.ElementType;
import poot.api.graph.Op;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Op.UnaryKind;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.oracle.Tensor;

/** Every primitive of a backend is what the oracle says. */
abstract class PrimitiveSuite {
    private static final float[] SPECIAL = {
        0f, -0f, 1f, -1f, 0.5f, 1e-30f, -1e-30f, 88f, -88f, 100f, -100f, 1e10f, -1e10f, 3e38f, Float.NaN,
        Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, 0.62f, -0.63f, 0.79f, -0.81f, 65504f, 65520f, 1e-7f
    };

    private final Random random = new Random(1);
    private final Judge judge;
    private final int[] sizes;
    private final boolean exact;

    /**
     * @param sizes awkward extents
     * @param exact whether roots, quotients, logarithms, sines and powers are the nearest floats; else they are a few ulp away
     */
    PrimitiveSuite(Judge judge, int[] sizes, boolean exact) {
        this.judge = judge;
        this.sizes = sizes;
        this.exact = exact;
    }

    private void op(Op op, float tolerance, Tensor... in) throws Exception {
        judge.op(op, tolerance, in);
    }

    /** The tolerance of what a device may round otherwise. */
    private float rounded() {
        return exact ? 0 : 2e-6f;
    }

    private static Tensor words(ElementType e, int... x) {
        return Tensor.words(TensorType.of(e, x.length), x);
    }

    private float rounded(UnaryKind kind) {
        return switch (kind) {
            case LOG, SIN, COS, SQRT, RECIPROCAL -> rounded();
            default -> 0;
        };
    }

    /** Sines of devices are good up to 2^20. */
    private Tensor special(UnaryKind kind) {
        Tensor x = special();
        if (!exact && (kind == UnaryKind.SIN || kind == UnaryKind.COS)) {
            for (int i = 0; i < x.count(); i++) {
                x.floats()[i] = Math.abs(x.floats()[i]) <= 0x1p20f ? x.floats()[i] : 3;
            }
        }
        return x;
    }

    private Tensor special() {
        float[] x = new float[2000];
        for (int i = 0; i < x.length; i++) {
            x[i] = i < SPECIAL.length ? SPECIAL[i] : (float) (random.nextGaussian() * Math.pow(10, random.nextInt(5) - 2));
        }
        return Tensor.f32(Shape.of(x.length), x);
    }

    private static Tensor pairs(boolean second) {
        float[] x = new float[SPECIAL.length * SPECIAL.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = SPECIAL[second ? i % SPECIAL.length : i / SPECIAL.length];
        }
        return Tensor.f32(Shape.of(x.length), x);
    }

    private static Tensor wordPairs(ElementType e, boolean second) {
        int[] special = {0, 1, -1, 2, -2, 7, -7, 31, 33, Integer.MAX_VALUE, Integer.MIN_VALUE};
        int[] x = new int[special.length * special.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = special[second ? i % special.length : i / special.length];
        }
        return words(e, x);
    }

    @Test
    void unary() throws Exception {
        for (UnaryKind kind : UnaryKind.values()) {
            if (kind == UnaryKind.NOT) {
                op(new Op.Unary(kind), 0, words(BOOL, 0, 1, 1));
            } else {
                boolean approximate = kind == UnaryKind.EXP || kind == UnaryKind.TANH || kind == UnaryKind.ERF;
                op(new Op.Unary(kind), approximate ? 1e-6f : rounded(kind), special(kind));
            }
        }
        op(new Op.Unary(UnaryKind.NEG), 0, wordPairs(I32, true));
        op(new Op.Unary(UnaryKind.ABS), 0, wordPairs(I32, true));
    }

    @Test
    void binaryAndCompare() throws Exception {
        for (BinaryKind kind : BinaryKind.values()) {
            switch (kind) {
                case ADD, SUB, MUL, MIN, MAX -> {
                    op(new Op.Binary(kind), 0, pairs(false), pairs(true));
                    op(new Op.Binary(kind), 0, wordPairs(I32, false), wordPairs(I32, true));
                }
                case DIV, REMAINDER -> {
                    op(new Op.Binary(kind), kind == BinaryKind.DIV ? rounded() : 0, pairs(false), pairs(true));
                    op(new Op.Binary(kind), 0, words(I32, 7, -7, 7, -7, 0), words(I32, 3, 3, -3, -3, 5));
                }
                case POW -> op(new Op.Binary(kind), rounded(), pairs(false), pairs(true));
                case AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT -> {
                    op(new Op.Binary(kind), 0, wordPairs(I32, false), wordPairs(I32, true));
                    op(new Op.Binary(kind), 0, wordPairs(U32, false), wordPairs(U32, true));
                }
            }
        }
        for (CompareKind kind : CompareKind.values()) {
            op(new Op.Compare(kind), 0, pairs(false), pairs(true));
            op(new Op.Compare(kind), 0, wordPairs(I32, false), wordPairs(I32, true));
            op(new Op.Compare(kind), 0, wordPairs(U32, false), wordPairs(U32, true));
        }
    }

    @Test
    void broadcasting() throws Exception {
        int[][] shapes = {{}, {1}, {7}, {3, 1}, {3, 7}, {5, 1, 1}, {5, 3, 1}, {5, 1, 7}, {5, 3, 7}, {2, 1, 3, 1}, {2, 5, 1, 7}};
        for (int[] a : shapes) {
            for (int[] b : shapes) {
                op(new Op.Binary(BinaryKind.SUB), 0, floats(random, a), floats(random, b));
            }
        }
        for (int n : sizes) {
            op(new Op.Binary(BinaryKind.MUL), 0, floats(random, 3, n), floats(random, 3, 1));
            Tensor condition = Tensor.bool(Shape.of(3, 1), 1, 0, 1);
            op(new Op.Select(), 0, condition, floats(random, 3, n), floats(random, n));
            op(new Op.Select(), 0, condition, ints(random, -5, 5, n), ints(random, -5, 5, 3, n));
        }
    }

    @Test
    void casts() throws Exception {
        for (ElementType to : List.of(F32, F16, BF16, I32, U32, BOOL)) {
            op(new Op.Cast(to), 0, special());
            op(new Op.Cast(to), 0, wordPairs(I32, true));
            op(new Op.Cast(to), 0, wordPairs(U32, true));
            op(new Op.Cast(to), 0, words(BOOL, 1, 0, 1));
        }
        for (ElementType half : List.of(F16, BF16)) {
            judge.check("round trip", 0, (b, in) -> List.of(b.cast(b.cast(in.get(0), half), F32)), floats(random, 7, 33));
        }
    }

    @Test
    void reductions() throws Exception {
        for (int n : sizes) {
            for (ReduceKind kind : ReduceKind.values()) {
                for (int axis = 0; axis < 3; axis++) {
                    op(new Op.Reduce(kind, axis), 1e-5f, floats(random, 3, n, 2));
                    op(new Op.Reduce(kind, axis), 1e-5f, floats(random, 2, 3, n));
                    op(new Op.Reduce(kind, axis), 0, ints(random, -9, 9, 2, n, 3));
                    op(new Op.PrefixScan(kind, axis, n % 2 == 0), 1e-5f, floats(random, 3, n, 2));
                    op(new Op.PrefixScan(kind, axis, n % 2 == 1), 0, ints(random, -9, 9, 2, 3, n));
                }
            }
            for (int axis = 0; axis < 3; axis++) {
                op(new Op.ArgReduce(true, axis), 0, floats(random, 3, n, 2));
                op(new Op.ArgReduce(false, axis), 0, ints(random, -3, 3, 2, 3, n));
            }
        }
        Tensor holes = Tensor.f32(Shape.of(4, 3), Float.NaN, 1, 1, Float.NaN, Float.NaN, Float.NaN, 2, Float.NaN, 3,
                Float.NEGATIVE_INFINITY, Float.NaN, Float.NEGATIVE_INFINITY);
        op(new Op.Reduce(ReduceKind.MAX, 1), 0, holes);
        op(new Op.Reduce(ReduceKind.MIN, 1), 0, holes);
        op(new Op.ArgReduce(true, 1), 0, holes);
        op(new Op.ArgReduce(false, 1), 0, holes);
        op(new Op.TopK(3), 0, holes);
    }

    @Test
    void largestK() throws Exception {
        for (int n : sizes) {
            for (int k : new int[] {1, Math.max(1, n / 20), (n + 1) / 2, n}) {
                op(new Op.TopK(k), 0, floats(random, 3, n));
                op(new Op.TopK(k), 0, ints(random, -3, 3, 3, n));
                float[] ties = new float[n];
                for (int i = 0; i < n; i++) {
                    ties[i] = SPECIAL[random.nextInt(SPECIAL.length)];
                }
                op(new Op.TopK(k), 0, Tensor.f32(Shape.of(n), ties));
            }
        }
    }

    @Test
    void products() throws Exception {
        for (int m : exact ? new int[] {1, 2, 3, 4, 5, 33} : new int[] {1, 5}) {
            for (int n : exact ? new int[] {1, 3, 4, 5, 16, 33, 130} : new int[] {1, 5, 16, 33}) {
                for (int k : exact ? new int[] {1, 7, 16, 33, 65} : new int[] {1, 16, 33}) {
                    op(new Op.MatMul(true), 1e-5f, floats(random, m, k), floats(random, n, k));
                    op(new Op.MatMul(false), 1e-5f, floats(random, 2, m, k), floats(random, k, n));
                }
            }
        }
        op(new Op.MatMul(true), 1e-5f, floats(random, 3, 1, 5, 17), floats(random, 2, 6, 17));
        op(new Op.MatMul(false), 1e-5f, floats(random, 2, 1, 5, 17), floats(random, 2, 3, 17, 6));
    }

    @Test
    void movement() throws Exception {
        for (int n : sizes) {
            Tensor x = floats(random, 3, n, 4);
            for (List<Integer> order : List.of(List.of(0, 1, 2), List.of(0, 2, 1), List.of(1, 0, 2), List.of(2, 1, 0), List.of(2, 0, 1))) {
                op(new Op.Transpose(order), 0, x);
                op(new Op.Transpose(order), 0, Tensor.words(TensorType.of(BOOL, 3, n, 4), ints(random, 0, 2, 12 * n).words()));
            }
            op(new Op.Slice(1, n / 3, n), 0, x);
            op(new Op.Slice(0, 1, 1), 0, x);
            op(new Op.Pad(1, 2, 1), 0, x);
            op(new Op.Pad(2, 0, 3), 0, ints(random, -9, 9, 2, n, 3));
            op(new Op.Broadcast(Shape.of(2, 3, n, 5)), 0, floats(random, 3, n, 1));
            op(new Op.Broadcast(Shape.of(2, 3, n)), 0, floats(random, n));
            op(new Op.Concat(1), 0, x, floats(random, 3, 2, 4), floats(random, 3, 1, 4));
            op(new Op.Reshape(Shape.of(n, 12)), 0, x);
        }
        judge.check("iota", 0, (b, in) -> List.of(b.iota(Shape.of(3, 5, 2), 1), b.iota(Shape.of(7), 0)));
    }

    @Test
    void indexed() throws Exception {
        for (int n : sizes) {
            op(new Op.Gather(), 0, floats(random, 5, n), ints(random, -1, 6, 2, 3));
            op(new Op.Gather(), 0, floats(random, n), ints(random, -1, n + 1, 4));
            op(new Op.TakeAlong(), 0, floats(random, 3, n), ints(random, -1, n + 1, 3, 5));
            List<Integer> rows = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
            Collections.shuffle(rows, random);
            int[] distinct = rows.stream().limit(6).mapToInt(i -> i == 3 ? -1 : i == 5 ? 99 : i).toArray();
            op(new Op.ScatterUpdate(false), 0, floats(random, 8, n), Tensor.i32(Shape.of(2, 3), distinct), floats(random, 2, 3, n));
            op(new Op.ScatterUpdate(true), 0, floats(random, 8, n), ints(random, -1, 9, 7), floats(random, 7, n));
        }
    }

    @Test
    void randomBits() throws Exception {
        for (int n : sizes) {
            int[] words = random.ints(6).toArray();
            Tensor key = Tensor.words(TensorType.of(U32, 3, 2), words);
            Tensor counter = Tensor.words(TensorType.of(U32, 3, 2), Arrays.stream(words).map(w -> w * 31).toArray());
            op(new Op.RandomBits(n), 0, key, counter);
        }
    }
}
