package poot.matrix;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;

/** A row for each composite that a fixture records: whether a backend runs a kernel of its own for it, or its body. */
final class CompositeRows {
    private final SortedMap<String, Map<Column, Calls>> table = new TreeMap<>();

    /** How often a composite was recorded, and how often it was left to the backend. */
    private record Calls(int recorded, int claimed) {
        Calls and(Calls other) {
            return new Calls(recorded + other.recorded, claimed + other.claimed);
        }
    }

    /** Counts what became of a traced graph's composites. */
    void count(Column c, Graph traced, Graph compiled) {
        traced.equations().forEach(e -> count(c, e, new Calls(1, 0)));
        compiled.equations().forEach(e -> count(c, e, new Calls(0, 1)));
    }

    private void count(Column c, Equation e, Calls calls) {
        if (e.op() instanceof Op.Composed composed) {
            table.computeIfAbsent(composed.composite().name(), n -> new EnumMap<>(Column.class)).merge(c, calls, Calls::and);
        }
    }

    /** The table's rows. */
    String rows() {
        StringBuilder out = new StringBuilder();
        table.forEach((name, cells) -> {
            out.append("| ").append(name);
            for (Column c : Column.values()) {
                Calls calls = cells.getOrDefault(c, new Calls(0, 0));
                out.append(" | ").append(calls.claimed == 0 ? "body" : calls.claimed >= calls.recorded ? "kernel"
                        : "kernel in " + calls.claimed + " of " + calls.recorded);
            }
            out.append(" |\n");
        });
        return out.toString();
    }
}
