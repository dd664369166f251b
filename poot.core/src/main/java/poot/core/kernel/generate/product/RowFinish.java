package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/** Applies the epilogue to each element once: element e is row e % tokens of x and row e / tokens of those of the weights. */
final class RowFinish {
    private final KernelBuilder b;
    private final int tokens;
    private final int products;
    private final int n;
    private final int each;
    private final RowSetting in;
    private final RowProduct.Place place;
    private final Reg first;
    private final Epilogue.Bound end;

    RowFinish(RowSetting in, RowProduct product, RowProduct.Place place, Reg first, Epilogue.Bound end) {
        this.b = in.b();
        this.in = in;
        this.tokens = product.tokens();
        this.products = product.weights().size();
        this.n = product.matrix();
        this.each = product.each();
        this.place = place;
        this.first = first;
        this.end = end;
    }

    /** Floats of shared memory that a product takes here. */
    static int parts(RowProduct p, int subgroups, int lanes) {
        int each = switch (p.share()) {
            case LANES -> 0;
            case THREADS -> p.each();
            case SUBGROUPS -> lanes;
        };
        return subgroups * p.weights().size() * each * p.tokens();
    }

    /** Of sums that every lane of the subgroup has: a lane for each element. */
    void byLanes(List<Reg> sums) {
        if (in.norm().isPresent()) {
            b.barrier();
        }
        int count = each * tokens;
        for (int from = 0; from < count; from += b.subgroupSize()) {
            int lanes = Math.min(count - from, b.subgroupSize());
            List<Reg> mine = new ArrayList<>();
            for (int w = 0; w < products; w++) {
                mine.add(pick(sums.subList(w * count + from, w * count + from + lanes)));
            }
            Reg e = b.add(b.lane(), from);
            apply(b.lt(b.lane(), lanes), e, () -> scaled(mine, e));
        }
    }

    /**
     * Of sums of which each subgroup has a part, {@code count} of each weight: through shared memory.
     *
     * @param sums a thread's: for each weight some in a row
     * @param at which elements those are, from here on
     * @param stores whether the thread is the one that has them
     */
    void joined(List<Reg> sums, int count, Reg at, Reg stores) {
        SharedArray parts = in.parts().orElseThrow();
        int own = sums.size() / products;
        b.when(stores, () -> {
            Reg to = b.mad(b.subgroup(), products * count, at);
            for (int i = 0; i < sums.size(); i++) {
                b.store(parts, b.add(to, i / own * count + i % own), sums.get(i));
            }
        });
        b.barrier();
        for (int from = 0; from < count; from += b.workgroupSize()) {
            Reg e = b.add(b.thread(), from);
            apply(b.lt(e, count), e, () -> scaled(join(parts, e, count), e));
        }
    }

    private List<Reg> scaled(List<Reg> sums, Reg e) {
        return in.norm().map(norm -> norm.scaled(sums, b.rem(e, tokens))).orElse(sums);
    }

    private List<Reg> join(SharedArray parts, Reg e, int count) {
        List<Reg> out = new ArrayList<>();
        for (int w = 0; w < products; w++) {
            Reg sum = b.load(parts, b.add(e, w * count));
            for (int s = 1; s < b.subgroups(); s++) {
                sum = b.add(sum, b.load(parts, b.add(e, (s * products + w) * count)));
            }
            out.add(sum);
        }
        return out;
    }

    private void apply(Reg present, Reg e, Supplier<List<Reg>> sums) {
        Reg row = b.rem(e, tokens);
        Reg column = b.add(first, b.div(e, tokens));
        b.when(b.and(present, b.and(b.lt(b.add(row, place.y()), in.rows()), b.lt(column, n))), () -> end.apply(row, column, sums.get()));
    }

    private Reg pick(List<Reg> of) {
        Reg out = of.getFirst();
        for (int i = 1; i < of.size(); i++) {
            out = b.select(b.eq(b.lane(), i), of.get(i), out);
        }
        return out;
    }
}
