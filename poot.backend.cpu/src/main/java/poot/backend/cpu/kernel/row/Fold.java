package poot.backend.cpu.kernel.row;

import poot.api.graph.Op.ReduceKind;

/** The scalar laws of the reductions. MAX and MIN pass over NaN. */
final class Fold {
    private Fold() {}

    /** What nothing reduces to. */
    static float identity(ReduceKind kind) {
        return switch (kind) {
            case SUM -> 0f;
            case PROD -> 1f;
            case MAX -> Float.NEGATIVE_INFINITY;
            case MIN -> Float.POSITIVE_INFINITY;
        };
    }

    /** What nothing reduces to. */
    static int wordIdentity(ReduceKind kind) {
        return switch (kind) {
            case SUM -> 0;
            case PROD -> 1;
            case MAX -> Integer.MIN_VALUE;
            case MIN -> Integer.MAX_VALUE;
        };
    }

    static float apply(ReduceKind kind, float acc, float x) {
        return switch (kind) {
            case SUM -> acc + x;
            case PROD -> acc * x;
            case MAX -> x > acc ? x : acc;
            case MIN -> x < acc ? x : acc;
        };
    }

    static int apply(ReduceKind kind, int acc, int x) {
        return switch (kind) {
            case SUM -> acc + x;
            case PROD -> acc * x;
            case MAX -> Math.max(acc, x);
            case MIN -> Math.min(acc, x);
        };
    }
}
