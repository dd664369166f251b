package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/** Short sums of registers in F32, as up to four chains so that one step need not wait for the last. */
final class Dots {
    private static final int CHAINS = 4;

    /** The sum of the products of two lists. */
    static Reg dot(KernelBuilder b, List<Reg> x, List<Reg> y) {
        List<Reg> chains = new ArrayList<>(CHAINS);
        for (int i = 0; i < x.size(); i++) {
            if (i < CHAINS) {
                chains.add(b.mul(x.get(i), y.get(i)));
            } else {
                chains.set(i % CHAINS, b.fma(x.get(i), y.get(i), chains.get(i % CHAINS)));
            }
        }
        return sum(b, chains);
    }

    /** The sum of a list, halves first. */
    static Reg sum(KernelBuilder b, List<Reg> x) {
        int half = x.size() / 2;
        return x.size() == 1 ? x.getFirst() : b.add(sum(b, x.subList(0, half)), sum(b, x.subList(half, x.size())));
    }

    private Dots() {
    }
}
