package poot.core.kernel.generate;

import java.util.ArrayList;
import java.util.List;
import poot.api.graph.Shape;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * The elements of several operands visited together, in row-major order of {@code extents}: operand j has its element at
 * the sum of coordinate times {@code strides.get(j)}, in elements. Axes that lie one behind the other in every operand
 * are one axis, axes of one element none.
 */
public record Strided(List<Integer> extents, List<List<Integer>> strides) {
    public Strided {
        extents = List.copyOf(extents);
        strides = strides.stream().map(List::copyOf).toList();
    }

    /** Over a shape. */
    public static Strided of(Shape shape, List<int[]> strides) {
        List<Integer> extents = new ArrayList<>();
        List<List<Integer>> merged = new ArrayList<>();
        strides.forEach(s -> merged.add(new ArrayList<>()));
        for (int axis = 0; axis < shape.rank(); axis++) {
            int at = axis;
            int extent = shape.dim(axis);
            int last = extents.size() - 1;
            if (extent == 1) {
                continue;
            }
            boolean joins = last >= 0;
            for (int j = 0; joins && j < merged.size(); j++) {
                joins = (long) strides.get(j)[at] * extent == merged.get(j).get(last);
            }
            if (joins) {
                extents.set(last, extents.get(last) * extent);
                for (int j = 0; j < merged.size(); j++) {
                    merged.get(j).set(last, strides.get(j)[at]);
                }
            } else {
                extents.add(extent);
                for (int j = 0; j < merged.size(); j++) {
                    merged.get(j).add(strides.get(j)[at]);
                }
            }
        }
        return new Strided(extents, merged);
    }

    /** Strides of a dense row-major tensor; ArithmeticException beyond 2^31 elements. */
    public static int[] dense(Shape shape) {
        int[] out = new int[shape.rank()];
        int next = 1;
        for (int i = out.length - 1; i >= 0; i--) {
            out[i] = next;
            next = Math.multiplyExact(next, shape.dim(i));
        }
        return out;
    }

    /** Strides of a dense tensor stretched to a shape: 0 along what stretches. */
    public static int[] stretched(Shape from, Shape to) {
        int[] own = dense(from);
        int[] out = new int[to.rank()];
        int lead = to.rank() - from.rank();
        for (int i = lead; i < out.length; i++) {
            out[i] = from.dim(i - lead) == 1 ? 0 : own[i - lead];
        }
        return out;
    }

    /** How many elements are visited. */
    public long count() {
        return extents.stream().mapToLong(i -> i).reduce(1, (a, c) -> a * c);
    }

    /**
     * 4 where four elements in a row always lie one behind the other, or in one place, at multiples of four of every
     * operand; else 1. The operands' memory must begin at multiples of four elements as well.
     */
    public int lanes() {
        if (extents.isEmpty() || extents.getLast() % 4 != 0) {
            return 1;
        }
        for (List<Integer> s : strides) {
            int last = s.getLast();
            if (last != 0 && last != 1 || last == 1 && s.stream().limit(s.size() - 1L).anyMatch(x -> x % 4 != 0)) {
                return 1;
            }
        }
        return 4;
    }

    /** Whether an operand has one element for each four in a row. */
    public boolean splat(int operand) {
        return extents.isEmpty() || strides.get(operand).getLast() == 0;
    }

    /** The index (U32) of the visited element {@code i} (U32) in each operand. */
    public List<Reg> indices(KernelBuilder b, Reg i) {
        List<Reg> out = new ArrayList<>();
        strides.forEach(s -> out.add(b.u32(0)));
        Reg rest = i;
        for (int axis = extents.size() - 1; axis >= 0; axis--) {
            Reg at = axis == 0 ? rest : b.rem(rest, extents.get(axis));
            rest = axis == 0 ? rest : b.div(rest, extents.get(axis));
            for (int j = 0; j < out.size(); j++) {
                out.set(j, b.add(out.get(j), b.mul(at, strides.get(j).get(axis))));
            }
        }
        return out;
    }
}
