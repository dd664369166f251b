package poot.backend.cpu.kernel.matmul;

import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.kernel.weight.RowReader;
import poot.backend.cpu.kernel.weight.Copies;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;

/** Which kernel multiplies with a stored weight: the one place where it is chosen. */
public final class WeightProducts {
    private WeightProducts() {}

    /**
     * x [m, k] times the transpose of a weight of one matrix [n, k]; leading axes of extent 1 do not count.
     *
     * @param copies    copies of weights, for kernels that want them
     * @param workspace where the kernel reserves its scratch
     * @param emitter   makes the kernel, where there is code for the format; else the portable one multiplies
     */
    public static TiledProduct of(
            Weight weight, Copies copies, Region x, int m, Workspace workspace, Optional<Emitter> emitter) throws ExecutorException {
        if (emitter.isPresent()) {
            Optional<TiledProduct> emitted = EmittedProduct.of(emitter.get(), weight, copies, x, m, workspace);
            if (emitted.isEmpty()) {
                emitted = DenseProduct.of(emitter.get(), weight, copies, x, m, workspace);
            }
            if (emitted.isPresent()) {
                return emitted.get();
            }
        }
        return new WeightProduct(RowReader.of(weight, workspace), 0, weight.shape().dim(-2), x, 0, m, workspace);
    }

    /** Whether a weight is one matrix, so that {@link #of} multiplies with it. */
    public static boolean flat(Weight weight) {
        return weight.shape().slice(0, weight.shape().rank() - 2).count() == 1;
    }

    /**
     * x of shape {@code from} times the transpose of a stored weight [.., n, k] to {@code out} of shape {@code to}; the
     * leading axes broadcast, and a weight of one matrix serves all of them at once.
     */
    public static Step step(Weight weight, Copies copies, Region x, Shape from, Region out, Shape to, Workspace workspace,
            Optional<Emitter> emitter) throws ExecutorException {
        int n = to.dim(-1);
        if (flat(weight)) {
            int m = Math.toIntExact(to.count() / Math.max(1, n));
            return new ColumnSplit(new TiledProduct[] {of(weight, copies, x, m, workspace, emitter)}, out);
        }
        RowReader rows = RowReader.of(weight, workspace);
        Shape lead = to.slice(0, to.rank() - 2);
        Batches left = new Batches(from.slice(0, from.rank() - 2), lead);
        Batches right = new Batches(weight.shape().slice(0, weight.shape().rank() - 2), lead);
        int m = to.dim(-2);
        TiledProduct[] each = new TiledProduct[Math.toIntExact(lead.count())];
        for (int i = 0; i < each.length; i++) {
            long xAt = 4 * left.at(i) * m * rows.columns();
            each[i] = new WeightProduct(rows, right.at(i) * n, n, x, xAt, m, workspace);
        }
        return new ColumnSplit(each, out);
    }
}
