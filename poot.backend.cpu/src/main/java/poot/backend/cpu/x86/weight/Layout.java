package poot.backend.cpu.x86.weight;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How activations are staged for a format, and how its decoded panels lie. Along k, groups of {@code group} elements; of
 * a group every row of a tile holds units of 32 bits: one F32, or two 16-bit integers, elements 0 and 2, then 1 and 3 of
 * each four. Behind the units of integers each row has its scale (F32) and a term of the group's sum.
 *
 * <p>Fine integers have 22 bits and a sign, and of each eight elements the even ones come first. A unit is then two: of the pair
 * the lowest fifteen bits, then what is above them; as bytes each four elements have their upper, middle and lower ones, all
 * with a sign, and four that nothing reads.
 *
 * @param group    elements of a group
 * @param floating whether units are F32
 * @param minimums whether the term is scale · Σ integers (F32), for formats with a minimum; else -offset · Σ integers (I32)
 * @param offset   what is added to every code to make it unsigned
 * @param split    whether integers lie as bytes: the upper (signed) of each four elements, then the lower (unsigned)
 * @param fine     whether integers are fine
 * @param order    the groups of a step in the order in which they are summed
 */
public record Layout(int group, boolean floating, boolean minimums, int offset, boolean split, boolean fine, List<Integer> order) {
    /** Bytes of a group's scale and term. */
    public static final int TAIL = 8;

    public Layout {
        order = List.copyOf(order);
    }

    /** F32 units. */
    public static Layout floats(int group, int groups) {
        return new Layout(group, true, false, 0, false, false, natural(groups));
    }

    /** Integers whose codes were made unsigned by {@code offset}. */
    public static Layout codes(int group, int offset, List<Integer> order) {
        return new Layout(group, false, false, offset, false, false, order);
    }

    /** Fine integers, likewise. */
    public static Layout fine(int group, int offset, List<Integer> order) {
        return new Layout(group, false, false, offset, false, true, order);
    }

    /** Integers with a minimum for each group. */
    public static Layout minimums(int group, int groups) {
        return new Layout(group, false, true, 0, false, false, natural(groups));
    }

    /** The same with integers as bytes. */
    public Layout bytes() {
        return new Layout(group, floating, minimums, offset, true, fine, order);
    }

    /** What of it staged activations depend on: groups one by one. */
    public Layout alone() {
        return new Layout(group, floating, minimums, offset, split, fine, natural(1));
    }

    /** Groups in the order of k. */
    public static List<Integer> natural(int groups) {
        return IntStream.range(0, groups).boxed().toList();
    }

    /** Whether panels hold codes as bytes, four in a lane. */
    public boolean wholes() {
        return fine && split;
    }

    /** Vectors of a group's codes in a panel. */
    public int vectors() {
        return floating ? group : group / (wholes() ? 4 : 2);
    }

    /** Bytes of a group's units of one row. */
    public int rowBytes() {
        return floating || fine ? 4 * group : 2 * group;
    }

    /** Bytes of a group of a tile of {@code rows}. */
    public int groupBytes(int rows) {
        return rows * (rowBytes() + (floating ? 0 : TAIL));
    }

    /** Bytes of a group of a panel of vectors of {@code width} bytes: units, then scales, then minimums. */
    public int panelBytes(int width) {
        return width * (vectors() + (floating ? 0 : minimums ? 2 : 1));
    }

    /** Elements of a step. */
    public int step() {
        return group * order.size();
    }
}
