package poot.matrix;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.Fusion;
import poot.api.executor.Program;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.TraceLimits;
import poot.api.graph.Weight;
import poot.api.model.Model;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.core.compile.CompileException;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.families.Families;
import poot.fixtures.FamilyFixtures;
import poot.fixtures.Fixture;
import poot.golden.OpenModel;

/**
 * A row for each family: each of its fixtures is compiled with its matrices labelled as every format, and prepared as it
 * is, with F32 weights, for one token and for several.
 */
final class FamilyRows {
    private static final int CAPACITY = 32;
    /** Nothing is refused for how equations are joined. */
    private static final CompileOptions UNFUSED = CompileOptions.DEFAULT.withFusion(Fusion.OFF);

    /**
     * What became of a family on one backend.
     *
     * @param refused the formats it is refused in
     * @param whole   what was refused of it as it is, by what was tried
     */
    private record Tally(Set<String> refused, Map<String, Verdict> whole) {
        Tally() {
            this(new TreeSet<>(), new LinkedHashMap<>());
        }
    }

    private final Path folder;
    private final Notes notes;
    private final CompositeRows composites;
    private final List<StoredMatrix> formats = StoredMatrix.all();

    FamilyRows(Path folder, Notes notes, CompositeRows composites) {
        this.folder = folder;
        this.notes = notes;
        this.composites = composites;
    }

    /** The table's rows. */
    String rows() throws Exception {
        StringBuilder out = new StringBuilder();
        for (Map.Entry<String, List<Fixture>> family : FamilyFixtures.TABLE.entrySet()) {
            Map<Column, Tally> tallies = new EnumMap<>(Column.class);
            Set<ProgramName> programs = new TreeSet<>();
            for (Fixture f : family.getValue()) {
                try (OpenModel m = OpenModel.open(f.write(folder), Families.registry())) {
                    programs.addAll(m.model().schema().programs().keySet());
                    Map<StepSpec, Graph> traced = new LinkedHashMap<>();
                    for (StepSpec spec : steps(m.model())) {
                        traced.put(spec, m.model().trace(spec, TraceLimits.DEFAULT));
                    }
                    for (Column c : Column.values()) {
                        attempt(f.name(), m, traced, c, tallies.computeIfAbsent(c, k -> new Tally()));
                    }
                }
            }
            out.append("| ").append(family.getKey()).append(" | ").append(String.join(", ", programs.stream().map(p -> p + "").toList()));
            tallies.forEach((c, t) -> out.append(" | ").append(cell(c, t)));
            out.append(" |\n");
        }
        return out.toString();
    }

    private String cell(Column c, Tally t) {
        if (!t.whole.isEmpty()) {
            return String.join("; ", t.whole.entrySet().stream().map(e -> notes.cell(c, e.getKey(), e.getValue())).distinct().toList());
        }
        int run = formats.size() - t.refused.size();
        return t.refused.isEmpty() ? "runs" : "runs in " + run + " of " + formats.size() + " formats";
    }

    private void attempt(String fixture, OpenModel m, Map<StepSpec, Graph> traced, Column c, Tally tally) throws Exception {
        try (Executor executor = c.open()) {
            traced.forEach((spec, graph) -> {
                Verdict v = Verdict.of(() -> prepare(graph, m, c, executor));
                if (!v.runs()) {
                    tally.whole.put(fixture + ", " + spec.program() + " of " + spec.shape().tokens(), v);
                }
            });
            Graph first = traced.values().iterator().next();
            for (StoredMatrix format : formats) {
                Map<Role, Weight> weights = new TreeMap<>();
                m.weights().forEach((role, w) -> weights.put(role, format.label(w)));
                if (!Verdict.of(() -> Compiler.compile(first, weights, executor.target(), UNFUSED)).runs()) {
                    tally.refused.add(format.name());
                }
            }
        }
    }

    private void prepare(Graph graph, OpenModel m, Column c, Executor executor) throws CompileException, ExecutorException {
        Program p = Compiler.compile(graph, m.weights(), executor.target(), CompileOptions.DEFAULT);
        composites.count(c, graph, p.graph());
        try (Executable executable = executor.load(m.weights()); Entry entry = executable.addEntry(p)) {
            entry.program();
        }
    }

    private static List<StepSpec> steps(Model model) {
        List<StepSpec> out = new ArrayList<>();
        if (model.schema().program(ProgramName.STEP).isPresent()) {
            out.add(StepSpec.of(ProgramName.STEP, StepShape.step(1, 1, CAPACITY)));
            out.add(StepSpec.of(ProgramName.STEP, StepShape.step(2, 8, CAPACITY)));
        }
        if (model.schema().program(ProgramName.ENCODE).isPresent()) {
            out.add(StepSpec.of(ProgramName.ENCODE, StepShape.encode(2, 8)));
        }
        return out;
    }
}
