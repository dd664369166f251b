package poot.oracle;

import java.util.Arrays;
import java.util.List;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;

/** Elements moved or indexed: each operation is the list of where its elements come from. */
final class Movement {
    private Movement() {}

    static Tensor transpose(Op.Transpose op, Tensor x, TensorType result) {
        int[] order = op.order().stream().mapToInt(i -> i).toArray();
        return x.pick(result, Strides.permute(x.shape(), result.shape(), order));
    }

    static Tensor slice(Op.Slice op, Tensor x, TensorType result) {
        int[] strides = Strides.of(x.shape());
        return x.pick(result, Strides.view(result.shape(), op.from() * strides[op.axis()], strides));
    }

    static Tensor concat(Op.Concat op, List<Tensor> in, TensorType result) {
        int[] strides = Strides.of(result.shape());
        int[] from = new int[Math.toIntExact(result.shape().count())];
        int place = 0;
        int element = 0;
        for (Tensor t : in) {
            for (int to : Strides.view(t.shape(), place * strides[op.axis()], strides)) {
                from[to] = element++;
            }
            place += t.shape().dim(op.axis());
        }
        return Tensor.join(in).pick(result, from);
    }

    static Tensor pad(Op.Pad op, Tensor x, TensorType result) {
        int[] strides = Strides.of(result.shape());
        int[] from = new int[Math.toIntExact(result.shape().count())];
        Arrays.fill(from, -1);
        int element = 0;
        for (int to : Strides.view(x.shape(), op.before() * strides[op.axis()], strides)) {
            from[to] = element++;
        }
        return x.pick(result, from);
    }

    static Tensor select(Tensor condition, Tensor a, Tensor b, TensorType result) {
        int[] c = Strides.broadcast(condition.shape(), result.shape());
        int[] x = Strides.broadcast(a.shape(), result.shape());
        int[] y = Strides.broadcast(b.shape(), result.shape());
        int[] from = new int[c.length];
        for (int i = 0; i < from.length; i++) {
            from[i] = condition.words()[c[i]] != 0 ? x[i] : a.count() + y[i];
        }
        return Tensor.join(List.of(a, b)).pick(result, from);
    }

    static Tensor gather(Tensor data, Tensor indices, TensorType result) {
        int unit = Strides.product(data.shape(), 1, data.shape().rank());
        int[] from = new int[indices.count() * unit];
        for (int i = 0; i < from.length; i++) {
            int row = indices.words()[i / unit];
            from[i] = row < 0 || row >= data.shape().dim(0) ? -1 : row * unit + i % unit;
        }
        return data.pick(result, from);
    }

    static Tensor takeAlong(Tensor data, Tensor indices, TensorType result) {
        int n = data.shape().dim(-1);
        int k = indices.shape().dim(-1);
        int[] from = new int[indices.count()];
        for (int i = 0; i < from.length; i++) {
            int column = indices.words()[i];
            from[i] = column < 0 || column >= n ? -1 : i / k * n + column;
        }
        return data.pick(result, from);
    }

    /** Additions happen one after another in the order of the updates, each rounded to F32. */
    static Tensor scatter(Op.ScatterUpdate op, Tensor operand, Tensor indices, Tensor updates, TensorType result) {
        Shape s = operand.shape();
        int unit = Strides.product(s, 1, s.rank());
        Tensor both = Tensor.join(List.of(operand, updates));
        int[] from = new int[operand.count()];
        Arrays.setAll(from, i -> i);
        Tensor added = op.add() ? operand.pick(result, from) : null;
        for (int i = 0; i < indices.count(); i++) {
            int row = indices.words()[i];
            if (row < 0 || row >= s.dim(0)) {
                continue;
            }
            for (int u = 0; u < unit; u++) {
                int to = row * unit + u;
                if (added == null) {
                    if (from[to] >= operand.count()) {
                        throw new IllegalArgumentException("row " + row + " is replaced twice");
                    }
                    from[to] = operand.count() + i * unit + u;
                } else if (Tensor.isFloat(added.element())) {
                    added.floats()[to] += updates.floats()[i * unit + u];
                } else {
                    added.words()[to] += updates.words()[i * unit + u];
                }
            }
        }
        return added == null ? both.pick(result, from) : added;
    }
}
