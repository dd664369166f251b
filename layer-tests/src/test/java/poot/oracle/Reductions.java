package poot.oracle;

import java.util.Comparator;
import java.util.stream.IntStream;
import poot.api.graph.Op;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;

/**
 * Operations along one axis, seen as [outer, n, inner]. Sums and products of floats are accumulated in double and
 * rounded once: a device that accumulates in F32, in any order, is right within its rounding. The largest and the
 * smallest pass over NaN; of NaN alone they are the infinities.
 */
final class Reductions {
    private Reductions() {}

    static Tensor reduce(Op.Reduce op, Tensor x, TensorType result) {
        Axis a = Axis.of(x.shape(), op.axis());
        Tensor out = Tensor.zeros(result);
        a.lines((first, line) -> {
            Fold f = new Fold(op.kind());
            for (int i = 0; i < a.n; i++) {
                f.take(x, first + i * a.step);
            }
            f.put(out, line);
        });
        return out;
    }

    static Tensor scan(Op.PrefixScan op, Tensor x, TensorType result) {
        Axis a = Axis.of(x.shape(), op.axis());
        Tensor out = Tensor.zeros(result);
        a.lines((first, line) -> {
            Fold f = new Fold(op.kind());
            for (int i = 0; i < a.n; i++) {
                int at = first + i * a.step;
                if (op.exclusive()) {
                    f.put(out, at);
                }
                f.take(x, at);
                if (!op.exclusive()) {
                    f.put(out, at);
                }
            }
        });
        return out;
    }

    static Tensor arg(Op.ArgReduce op, Tensor x, TensorType result) {
        Axis a = Axis.of(x.shape(), op.axis());
        Tensor out = Tensor.zeros(result);
        a.lines((first, line) -> {
            int best = 0;
            for (int i = 1; i < a.n; i++) {
                if (wins(x, first + i * a.step, first + best * a.step, op.largest())) {
                    best = i;
                }
            }
            out.words()[line] = best;
        });
        return out;
    }

    /** Whether an element beats the best so far: strictly beyond it, or a number where the best is NaN. */
    private static boolean wins(Tensor x, int candidate, int best, boolean largest) {
        if (!Tensor.isFloat(x.element())) {
            int order = Integer.compare(x.words()[candidate], x.words()[best]);
            return largest ? order > 0 : order < 0;
        }
        float c = x.floats()[candidate];
        float b = x.floats()[best];
        return Float.isNaN(b) ? !Float.isNaN(c) : largest ? c > b : c < b;
    }

    /** Values and indices of the k largest of each row; NaN after everything else. */
    static Tensor[] topK(Op.TopK op, Tensor x, TensorType values, TensorType indices) {
        int n = x.shape().dim(-1);
        int rows = x.count() / n;
        int[] from = new int[rows * op.k()];
        int[] index = new int[from.length];
        for (int r = 0; r < rows; r++) {
            int base = r * n;
            Comparator<Integer> falling = (i, j) -> wins(x, base + i, base + j, true) ? -1 : wins(x, base + j, base + i, true) ? 1 : 0;
            int[] order = IntStream.range(0, n).boxed().sorted(falling).mapToInt(i -> i).toArray();
            for (int k = 0; k < op.k(); k++) {
                index[r * op.k() + k] = order[k];
                from[r * op.k() + k] = base + order[k];
            }
        }
        return new Tensor[] {x.pick(values, from), Tensor.words(indices, index)};
    }

    /** One axis of a tensor: {@code n} elements {@code step} apart, {@code outer · step} lines of them. */
    private record Axis(int outer, int n, int step) {
        static Axis of(Shape s, int axis) {
            return new Axis(Strides.product(s, 0, axis), s.dim(axis), Strides.product(s, axis + 1, s.rank()));
        }

        interface Line {
            void at(int first, int line);
        }

        void lines(Line visit) {
            for (int o = 0; o < outer; o++) {
                for (int i = 0; i < step; i++) {
                    visit.at(o * n * step + i, o * step + i);
                }
            }
        }
    }

    /** A running reduction; empty it holds the identity: 0, 1, the smallest or the largest number. */
    private static final class Fold {
        private final ReduceKind kind;
        private double number;
        private int word;

        Fold(ReduceKind kind) {
            this.kind = kind;
            this.number = switch (kind) {
                case SUM -> 0;
                case PROD -> 1;
                case MAX -> Double.NEGATIVE_INFINITY;
                case MIN -> Double.POSITIVE_INFINITY;
            };
            this.word = switch (kind) {
                case SUM -> 0;
                case PROD -> 1;
                case MAX -> Integer.MIN_VALUE;
                case MIN -> Integer.MAX_VALUE;
            };
        }

        void take(Tensor x, int i) {
            if (Tensor.isFloat(x.element())) {
                float v = x.floats()[i];
                number = switch (kind) {
                    case SUM -> number + v;
                    case PROD -> number * v;
                    case MAX -> v > number ? v : number;
                    case MIN -> v < number ? v : number;
                };
            } else {
                int v = x.words()[i];
                word = switch (kind) {
                    case SUM -> word + v;
                    case PROD -> word * v;
                    case MAX -> Math.max(word, v);
                    case MIN -> Math.min(word, v);
                };
            }
        }

        void put(Tensor out, int i) {
            if (Tensor.isFloat(out.element())) {
                out.floats()[i] = (float) number;
            } else {
                out.words()[i] = word;
            }
        }
    }
}
