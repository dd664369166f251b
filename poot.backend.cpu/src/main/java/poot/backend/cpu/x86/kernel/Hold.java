package poot.backend.cpu.x86.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import poot.backend.cpu.x86.weight.Rows;
import poot.backend.cpu.x86.weight.Sink;
import poot.backend.cpu.x86.weight.StoredRows;

/** Registers that nothing else wants hold what would be read from memory. */
final class Hold {
    /** The first vector register that {@link Rows} names, of wide vectors. */
    private static final int NAMED = 16;

    private Hold() {}

    /**
     * Wide vectors of integers leave registers that neither rows nor sinks name, from {@code first} to 15. They hold the constants
     * and the vectors of the scratch that a step reads most: a step is written once only to count these reads.
     */
    static void mostRead(Rows rows, StoredRows stored, int first, Function<Rows, Sink> sink) {
        if (!rows.code().simd().wide() || stored.layout().floating()) {
            return;
        }
        Rows plan = rows.again();
        stored.begin(plan, Frame.WEIGHTS);
        stored.step(plan, sink.apply(plan));
        record Held(int uses, IntConsumer in) {}
        List<Held> wanted = new ArrayList<>();
        plan.code().uses().forEach((value, uses) -> wanted.add(new Held(uses, in -> rows.code().hold(value, in))));
        plan.scratch().taken().forEach((vector, uses) -> wanted.add(new Held(uses, in -> rows.scratch().hold(vector, in))));
        wanted.sort(Comparator.comparingInt(Held::uses).reversed());
        for (int i = 0; first + i < NAMED && i < wanted.size(); i++) {
            wanted.get(i).in().accept(first + i);
        }
    }
}
