package poot.matrix;

import java.util.Map;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;

/**
 * A row for each format: a matrix stored in it is multiplied with one row and with many, some of its rows are looked up,
 * and all of it is read as it is.
 */
final class FormatRows {
    static final Role W = Role.of("matrix");
    private static final int MANY = 40;

    private final Notes notes;

    FormatRows(Notes notes) {
        this.notes = notes;
    }

    /** The table's rows. */
    String rows() throws Exception {
        Graph graph = graph();
        StringBuilder out = new StringBuilder();
        for (StoredMatrix format : StoredMatrix.all()) {
            Map<Role, Weight> weights = Map.of(W, format.weight());
            out.append("| ").append(format.name());
            for (Column c : Column.values()) {
                try (Executor executor = c.open()) {
                    Verdict v = Verdict.of(() -> {
                        var program = Compiler.compile(graph, weights, executor.target(), CompileOptions.DEFAULT);
                        try (Executable executable = executor.load(weights); Entry entry = executable.addEntry(program)) {
                            entry.program();
                        }
                    });
                    out.append(" | ").append(notes.cell(c, format.name(), v));
                }
            }
            out.append(" |\n");
        }
        return out.toString();
    }

    /** What is done with a matrix. */
    static Graph graph() throws TraceException {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value w = b.weight(W, StoredMatrix.ROWS, StoredMatrix.COLUMNS);
        for (int rows : new int[] {1, MANY}) {
            Value x = b.slot("x" + rows, TensorType.of(ElementType.F32, rows, StoredMatrix.COLUMNS));
            b.output("product" + rows, b.matMulTransposed(x, w));
        }
        b.output("rows", b.gather(w, b.slot("at", TensorType.of(ElementType.I32, 3))));
        b.output("all", b.add(w, b.slot("more", TensorType.of(ElementType.F32, 1, StoredMatrix.COLUMNS))));
        return b.finish();
    }
}
