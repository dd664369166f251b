package poot.core.kernel.generate.attention;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * The features that one thread of a team takes: of the pieces that a head is cut into every {@code team}-th, from its own
 * on.
 *
 * @param width features of a head, a multiple of {@code together}
 * @param together features of a piece
 * @param own the thread in its team, U32
 */
record Pieces(KernelBuilder b, int width, int together, int team, Reg own) {
    /** How many there are; of some threads the last does not exist. */
    int count() {
        return (width / together + team - 1) / team;
    }

    /** The first feature (U32) of piece i. */
    Reg first(int i) {
        return b.mul(b.add(own, i * team), together);
    }

    private boolean always(int i) {
        return (i + 1) * team * together <= width;
    }

    /** Whether piece i exists (BOOL). */
    Reg exists(int i) {
        return always(i) ? b.bool(true) : b.lt(first(i), b.u32(width));
    }

    /** What {@code load} gives, from its first feature, of piece i where it exists and is wanted; else zeros. */
    List<Reg> load(int i, Reg wanted, Function<Reg, List<Reg>> load) {
        Reg both = always(i) ? wanted : b.and(exists(i), wanted);
        return b.choose(both, () -> load.apply(first(i)), () -> zeros(together));
    }

    /** Zeros, F32. */
    List<Reg> zeros(int n) {
        List<Reg> out = new ArrayList<>();
        for (int k = 0; k < n; k++) {
            out.add(b.f32(0));
        }
        return out;
    }
}
