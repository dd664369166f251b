package poot.api.executor;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import poot.api.graph.Equation;
import poot.api.graph.Value;

/**
 * A group of equations run as one dispatch; {@link Program} says which groups there are.
 *
 * @param kind      the shape of its computation
 * @param equations in order; more than one where they were fused
 * @param inputs    values read from outside the kernel
 * @param outputs   values read after the kernel
 * @param rows      for a {@link Kind#ROW} kernel of several equations the number of rows it may be cut into; else 1
 */
public record Kernel(Kind kind, List<Equation> equations, List<Value> inputs, List<Value> outputs, long rows) {
    /** The shape of a kernel's computation. */
    public enum Kind {
        /** Leaves and views: nothing to run. */
        NONE,
        /** One result element from the elements at the same place. */
        POINTWISE,
        /** Rows reduced or moved, with what is computed before and after on the same row. */
        ROW,
        /** Matrix products of one left operand, with what is applied to their results and the gathers of their matrices. */
        CONTRACTION,
        /** Elements moved or indexed. */
        MOVEMENT,
        /** A composite the target claimed. */
        CLAIMED,
        /** Selection, scan, random bits. */
        SPECIAL
    }

    public Kernel {
        Objects.requireNonNull(kind);
        equations = List.copyOf(equations);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        if (rows < 1) {
            throw new IllegalArgumentException(rows + " rows");
        }
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT)
                + equations.stream().map(Equation::toString).collect(Collectors.joining("\n     ", " ", ""));
    }
}
