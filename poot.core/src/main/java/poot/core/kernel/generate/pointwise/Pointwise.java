package poot.core.kernel.generate.pointwise;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Rowed;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * {@code results[i] = expression(inputs[i])} for every element i of a shape, a thread for each 1 or 4; results are dense.
 * Parameters: the inputs, each as {@code at} places it; then the results.
 *
 * @param expression what is computed
 * @param at         where the inputs have the elements
 * @param lanes      4 where {@link Strided#lanes} says so and all memory begins at multiples of four elements; else 1
 */
public record Pointwise(Expression expression, Strided at, int lanes) implements Rowed {
    private Flat flat() {
        return new Flat(at.count() / lanes);
    }

    /** A thread for each 1 or 4 elements. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = flat().threads("pointwise", limits);
        List<Reg> inputs = new ArrayList<>();
        List<Reg> results = new ArrayList<>();
        for (int i = 0; i < expression.inputs().size(); i++) {
            inputs.add(b.buffer("in" + i, Access.READ));
        }
        for (int i = 0; i < expression.results().size(); i++) {
            results.add(b.buffer("out" + i, Access.WRITE));
        }
        Reg thread = Flat.thread(b);
        b.when(flat().holds(b, thread), () -> element(b, b.mul(thread, lanes), inputs, results));
        return b.build();
    }

    @Override
    public long items(int count) {
        return at.count() / lanes;
    }

    @Override
    public long threads(long items, DeviceLimits limits) {
        return items;
    }

    @Override
    public void part(KernelBuilder b, List<Reg> params, Reg first, long items, String prefix) {
        int in = expression.inputs().size();
        Rowed.spread(b, first, items, i -> element(b, b.mul(i, lanes), params.subList(0, in), params.subList(in, params.size())));
    }

    private void element(KernelBuilder b, Reg first, List<Reg> inputs, List<Reg> results) {
        List<Reg> index = at.indices(b, first);
        List<List<Reg>> loaded = new ArrayList<>();
        BitSet splat = new BitSet();
        for (int i = 0; i < inputs.size(); i++) {
            splat.set(i, at.splat(i));
            loaded.add(Elements.load(b, expression.inputs().get(i), inputs.get(i), index.get(i), splat.get(i) ? 1 : lanes));
        }
        List<List<Reg>> out = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            List<Reg> in = new ArrayList<>();
            for (int i = 0; i < inputs.size(); i++) {
                in.add(loaded.get(i).get(splat.get(i) ? 0 : lane));
            }
            out.add(expression.apply(b, in));
        }
        for (int r = 0; r < results.size(); r++) {
            int result = r;
            ElementType type = expression.type(expression.results().get(r));
            Elements.store(b, type, results.get(r), first, out.stream().map(o -> o.get(result)).toList());
        }
    }
}
