package poot.backend.cpu.kernel.pointwise;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;

import jdk.incubator.vector.FloatVector;
import poot.api.graph.Composite.Activation;
import poot.backend.cpu.kernel.Functions;

/** Loops of the activations and transcendental functions. They may compute past {@code n}, to a whole vector. */
final class Activations {
    private Activations() {}

    static void apply(Activation activation, float[] x, float[] out, int n) {
        switch (activation) {
            case SILU -> silu(x, out, n);
            case GELU_ERF -> geluErf(x, out, n);
            case GELU_TANH -> geluTanh(x, out, n);
            case RELU -> relu(x, out, n);
        }
    }

    private static void silu(float[] x, float[] out, int n) {
        for (int i = 0; i < n; i += COUNT) {
            Functions.silu(FloatVector.fromArray(F32, x, i)).intoArray(out, i);
        }
    }

    private static void geluErf(float[] x, float[] out, int n) {
        for (int i = 0; i < n; i += COUNT) {
            Functions.geluErf(FloatVector.fromArray(F32, x, i)).intoArray(out, i);
        }
    }

    private static void geluTanh(float[] x, float[] out, int n) {
        for (int i = 0; i < n; i += COUNT) {
            Functions.geluTanh(FloatVector.fromArray(F32, x, i)).intoArray(out, i);
        }
    }

    private static void relu(float[] x, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = x[i] > 0 ? x[i] : x[i] != x[i] ? x[i] : 0f;
        }
    }

    static void exp(float[] x, float[] out, int n) {
        for (int i = 0; i < n; i += COUNT) {
            Functions.exp(FloatVector.fromArray(F32, x, i)).intoArray(out, i);
        }
    }

    static void tanh(float[] x, float[] out, int n) {
        for (int i = 0; i < n; i += COUNT) {
            Functions.tanh(FloatVector.fromArray(F32, x, i)).intoArray(out, i);
        }
    }

    static void erf(float[] x, float[] out, int n) {
        for (int i = 0; i < n; i += COUNT) {
            Functions.erf(FloatVector.fromArray(F32, x, i)).intoArray(out, i);
        }
    }
}
