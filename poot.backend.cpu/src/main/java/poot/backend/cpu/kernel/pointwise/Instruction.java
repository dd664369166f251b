package poot.backend.cpu.kernel.pointwise;

import poot.api.graph.Composite.Activation;
import poot.api.graph.ElementType;
import poot.api.graph.Op;

/** One operation over registers. Floats of every width are F32 in a register. */
sealed interface Instruction {
    /** Computes {@code n} elements. */
    void apply(float[][] f, int[][] w, int n);

    /** An elementwise function of one operand of type {@code of}. */
    record Unary(Op.UnaryKind kind, ElementType of, int x, int out) implements Instruction {
        @Override
        public void apply(float[][] f, int[][] w, int n) {
            if (kind == Op.UnaryKind.IS_FINITE) {
                FloatLoops.isFinite(f[x], w[out], n);
            } else if (of.isFloat()) {
                FloatLoops.unary(kind, f[x], f[out], n);
            } else {
                WordLoops.unary(kind, w[x], w[out], n);
            }
        }
    }

    /** An elementwise function of two operands of type {@code of}. */
    record Binary(Op.BinaryKind kind, ElementType of, int a, int b, int out) implements Instruction {
        @Override
        public void apply(float[][] f, int[][] w, int n) {
            if (of.isFloat()) {
                FloatLoops.binary(kind, f[a], f[b], f[out], n);
            } else {
                WordLoops.binary(kind, of == ElementType.U32, w[a], w[b], w[out], n);
            }
        }
    }

    /** A comparison of two operands of type {@code of}. */
    record Compare(Op.CompareKind kind, ElementType of, int a, int b, int out) implements Instruction {
        @Override
        public void apply(float[][] f, int[][] w, int n) {
            if (of.isFloat()) {
                FloatLoops.compare(kind, f[a], f[b], w[out], n);
            } else {
                WordLoops.compare(kind, of == ElementType.U32, w[a], w[b], w[out], n);
            }
        }
    }

    /** A choice between operands of type {@code of}. */
    record Select(ElementType of, int condition, int a, int b, int out) implements Instruction {
        @Override
        public void apply(float[][] f, int[][] w, int n) {
            int[] c = w[condition];
            if (of.isFloat()) {
                FloatLoops.select(c, f[a], f[b], f[out], n);
            } else {
                WordLoops.select(c, w[a], w[b], w[out], n);
            }
        }
    }

    /** A conversion; the rounding to a narrow float happens here, so that later readers see it. */
    record Cast(ElementType from, ElementType to, int x, int out) implements Instruction {
        @Override
        public void apply(float[][] f, int[][] w, int n) {
            if (from.isFloat()) {
                if (to.isFloat()) {
                    FloatLoops.round(to, f[x], f[out], n);
                } else {
                    WordLoops.fromFloat(to, f[x], w[out], n);
                }
            } else if (to.isFloat()) {
                FloatLoops.fromWord(from, to, w[x], f[out], n);
            } else {
                WordLoops.convert(to, w[x], w[out], n);
            }
        }
    }

    /** activation(x). */
    record Activate(Activation activation, int x, int out) implements Instruction {
        @Override
        public void apply(float[][] f, int[][] w, int n) {
            Activations.apply(activation, f[x], f[out], n);
        }
    }

    /** activation(gate) · up. */
    record Gated(Activation activation, int gate, int up, int out) implements Instruction {
        @Override
        public void apply(float[][] f, int[][] w, int n) {
            Activations.apply(activation, f[gate], f[out], n);
            FloatLoops.binary(Op.BinaryKind.MUL, f[out], f[up], f[out], n);
        }
    }
}
