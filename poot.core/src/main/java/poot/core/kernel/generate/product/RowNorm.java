package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.decode.Floats;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * The root mean square normalisation of the rows of x inside a product: x is scaled by the norm's weight as it is read, the
 * finished sums by the row's factor. The threads of the workgroup sum the squares of a row meanwhile, each every so many
 * pieces of it in turn, as many as there are threads; their order depends on the width and the weights' kinds alone.
 */
final class RowNorm {
    /** Elements of a row of x that a thread takes at a time. */
    static final int PIECE = 4;

    private final KernelBuilder b;
    private final Normed of;
    private final ElementType left;
    private final int width;
    private final Reg weight;
    private final SharedArray squares;

    private RowNorm(KernelBuilder b, Normed of, ElementType left, int width, Reg weight, SharedArray squares) {
        this.b = b;
        this.of = of;
        this.left = left;
        this.width = width;
        this.weight = weight;
        this.squares = squares;
    }

    /** Declares the norm's weight and the shared memory. */
    static RowNorm declare(KernelBuilder b, Normed of, ElementType left, int width, int tokens) {
        Reg weight = b.buffer("norm", Access.READ);
        return new RowNorm(b, of, left, width, weight, b.shared("squares", MemoryType.F32, floats(b.subgroups(), tokens)));
    }

    /** Floats of shared memory. */
    static int floats(int subgroups, int tokens) {
        return subgroups * tokens;
    }

    /** What elements of x from {@code at} on, a multiple of {@code count}, are multiplied by. */
    List<Reg> scale(Reg at, int count) {
        List<Reg> w = Floats.load(b, Elements.memory(of.weight()), weight, at, count);
        return of.offset() == 0 ? w : w.stream().map(v -> b.add(v, b.f32(of.offset()))).toList();
    }

    /** A sum of squares and those of more elements. */
    static Reg square(KernelBuilder b, List<Reg> values, Reg sum) {
        Reg out = sum;
        for (Reg v : values) {
            out = b.fma(v, v, out);
        }
        return out;
    }

    /** Sums the squares of rows of x; in uniform flow. */
    void squares(List<Reg> rows) {
        List<Reg> zeros = new ArrayList<>();
        rows.forEach(r -> zeros.add(b.f32(0)));
        found(b.loop(b.thread(), b.u32(width / PIECE), b.u32(b.workgroupSize()), zeros, (i, sums) -> {
            List<Reg> out = new ArrayList<>();
            for (int t = 0; t < rows.size(); t++) {
                out.add(square(b, Floats.load(b, Elements.memory(left), rows.get(t), b.mul(i, PIECE), PIECE), sums.get(t)));
            }
            return out;
        }));
    }

    /** Takes the thread's sums of squares; in uniform flow. The others see them after a barrier. */
    void found(List<Reg> sums) {
        List<Reg> joined = sums.stream().map(s -> b.reduce(ReduceOp.ADD, s)).toList();
        b.when(b.eq(b.lane(), 0), () -> {
            for (int t = 0; t < joined.size(); t++) {
                b.store(squares, b.add(b.subgroup(), t * b.subgroups()), joined.get(t));
            }
        });
    }

    /** The factor of a row of those found. */
    private Reg factor(Reg token) {
        Reg first = b.mul(token, b.subgroups());
        Reg sum = b.load(squares, first);
        for (int s = 1; s < b.subgroups(); s++) {
            sum = b.add(sum, b.load(squares, b.add(first, s)));
        }
        return b.div(b.f32(1), b.sqrt(b.add(b.mul(sum, 1f / width), b.f32(of.eps()))));
    }

    /** Sums of one row. */
    List<Reg> scaled(List<Reg> sums, Reg token) {
        Reg factor = factor(token);
        return sums.stream().map(s -> b.mul(s, factor)).toList();
    }
}
