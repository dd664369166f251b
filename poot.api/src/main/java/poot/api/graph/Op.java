package poot.api.graph;

import java.util.List;
import java.util.Objects;

/**
 * A primitive operation, or a {@link Composed} one that keeps its intent beside its primitive body.
 *
 * <p>Unless a record says otherwise: operands broadcast by aligning their last axes; floating-point arithmetic is
 * performed and accumulated in F32; the result of a comparison is BOOL. Axes are counted from the front. What each
 * operation means for its types is {@link Inference}; what it computes is defined by the oracle of the test suite.
 */
public sealed interface Op {

    // ---- leaves: no operands ----

    /** A weight by role: as traced F32 of the logical shape; after binding, the stored element type. */
    record Const(Role role, TensorType type) implements Op {}

    /** A typed input of one step, by name. */
    record Slot(String name, TensorType type) implements Op {}

    /** The value a carried state has when the step begins. */
    record State(String name, TensorType type) implements Op {}

    /** An operand of the composite whose body this equation stands in, by index. */
    record Param(int index, TensorType type) implements Op {}

    /** Values known at trace time. */
    record Literal(LiteralData data) implements Op {}

    /** 0, 1, 2 … along one axis of an I32 tensor, constant along the others. */
    record Iota(Shape shape, int axis) implements Op {}

    // ---- elementwise ----

    /** One operand, elementwise. */
    record Unary(UnaryKind kind) implements Op {}

    /** Two operands of one element type, broadcast. */
    record Binary(BinaryKind kind) implements Op {}

    /** Two operands of one element type, broadcast, to BOOL. A comparison with NaN is false, except NE. */
    record Compare(CompareKind kind) implements Op {}

    /** condition BOOL, a, b of one element type, all broadcast: a where the condition holds, b elsewhere. */
    record Select() implements Op {}

    /**
     * Conversion of each element. Float to narrower float rounds to nearest even; float to integer truncates toward
     * zero and saturates, NaN to 0; U32 to F32 reads the word as unsigned; BOOL to a number is 0 or 1; a number to
     * BOOL is "not zero".
     */
    record Cast(ElementType to) implements Op {}

    // ---- reductions; the axis stays with extent 1 ----

    /** Reduction of one axis to extent 1. */
    record Reduce(ReduceKind kind, int axis) implements Op {}

    /** Index (I32) of the first largest or smallest element of one axis, reduced to extent 1; NaN never wins. */
    record ArgReduce(boolean largest, int axis) implements Op {}

    /** The k largest of the last axis in falling order, equal values by rising index: values, then indices (I32). */
    record TopK(int k) implements Op {}

    /** Running reduction along one axis; exclusive means the element itself is left out (0 for SUM at the start). */
    record PrefixScan(ReduceKind kind, int axis, boolean exclusive) implements Op {}

    // ---- contraction ----

    /**
     * a [.., M, K] times b [.., K, N], or b [.., N, K] when transposed: [.., M, N], accumulated in F32. The leading
     * axes broadcast. Weights are stored [out, in], so a linear layer is a transposed product.
     */
    record MatMul(boolean transposed) implements Op {}

    // ---- movement ----

    /** The same elements in row-major order under another shape. */
    record Reshape(Shape shape) implements Op {}

    /** Axis i of the result is axis {@code order.get(i)} of the operand. */
    record Transpose(List<Integer> order) implements Op {
        public Transpose {
            order = List.copyOf(order);
        }
    }

    /** Elements from (inclusive) to (exclusive) of one axis. */
    record Slice(int axis, int from, int to) implements Op {}

    /** Operands end to end along one axis. */
    record Concat(int axis) implements Op {}

    /** The operand stretched to a shape it broadcasts to. */
    record Broadcast(Shape shape) implements Op {}

    /** Zeros before and after along one axis. */
    record Pad(int axis, int before, int after) implements Op {}

    // ---- indexed ----

    /** data [N, ..], indices I32 [..]: the rows of data; an index outside [0, N) gives zeros. */
    record Gather() implements Op {}

    /** data [.., N], indices I32 [.., k] with equal leading axes: elements of the last axis; outside gives zero. */
    record TakeAlong() implements Op {}

    /**
     * operand [N, ..], indices I32 [I..], updates [I.., ..]: the operand with rows replaced (or added to); an index
     * outside [0, N) is dropped. Replaced rows must be distinct; added rows may repeat.
     */
    record ScatterUpdate(boolean add) implements Op {}

    // ---- storage and randomness ----

    /** A PACKED weight constant as F32 of its logical shape: {@link Format#decode} of every row. */
    record PackedDecode(Format format) implements Op {
        public PackedDecode {
            Objects.requireNonNull(format);
        }
    }

    /**
     * Philox4x32-10: key U32 [R, 2], counter U32 [R, 2] to U32 [R, n]. Words 4j..4j+3 of row r are the block of
     * counter (counter[r,0], counter[r,1], j, 0) under key[r]; a row's bits depend on nothing else.
     */
    record RandomBits(int n) implements Op {}

    // ---- intent ----

    /**
     * A named composite and its primitive body. A backend may claim it for a kernel of its own; elsewhere the body
     * is inlined. The operands are the body's parameters, the body's outputs the results.
     */
    record Composed(Composite composite, Graph body) implements Op {}

    /** Elementwise functions of one operand. */
    enum UnaryKind {
        /** F32, I32. */
        NEG, ABS,
        /** F32. */
        EXP, LOG, SIN, COS, TANH, ERF, SQRT, RECIPROCAL, FLOOR,
        /** BOOL. */
        NOT,
        /** F32 to BOOL: neither infinite nor NaN. */
        IS_FINITE
    }

    /** Elementwise functions of two operands. */
    enum BinaryKind {
        /** F32, I32, U32 (integers wrap). */
        ADD, SUB, MUL,
        /** F32; I32 divides toward negative infinity and the remainder has the divisor's sign. */
        DIV, REMAINDER,
        /** F32, I32; the other operand where one is NaN. */
        MIN, MAX,
        /** F32. */
        POW,
        /** BOOL, I32, U32. */
        AND, OR, XOR,
        /** I32, U32; the count is taken modulo 32, the right shift of U32 is logical. */
        SHIFT_LEFT, SHIFT_RIGHT
    }

    /** Comparisons. */
    enum CompareKind { EQ, NE, LT, LE, GT, GE }

    /** Associative reductions: SUM in F32 accumulation for floats, wrapping for integers. */
    enum ReduceKind { SUM, MAX, MIN, PROD }
}
