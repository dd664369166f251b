package poot.matrix;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import poot.acceptance.Repository;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.executor.Executor;
import poot.api.executor.Fusion;
import poot.api.model.KvForm;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;

/** A row for each thing a driver may be asked for: the demo model's driver is prepared with it. */
final class FeatureRows {
    private static final int CAPACITY = 8;
    private static final DriverOptions PLAIN = DriverOptions.DEFAULT.withRows(1).withCapacity(CAPACITY).withPrefillChunk(2)
            .withHeads(EnumSet.of(HeadKind.GREEDY)).withLogprobs(0);

    private record Tried(Column column, DriverOptions options) {}

    private final Notes notes;
    private final Map<Tried, Verdict> known = new HashMap<>();

    FeatureRows(Notes notes) {
        this.notes = notes;
    }

    /** The demo model. */
    static ModelHandle model() throws Exception {
        return ModelHandle.load(Repository.demoModel(), Families.registry(), new LoadOptions(LoadOptions.Text.NONE));
    }

    /** The table's rows. */
    String rows() throws Exception {
        StringBuilder out = new StringBuilder();
        try (ModelHandle model = model()) {
            for (Map.Entry<String, DriverOptions> feature : features().entrySet()) {
                out.append("| ").append(feature.getKey());
                for (Column c : Column.values()) {
                    Tried tried = new Tried(c, feature.getValue());
                    if (!known.containsKey(tried)) {
                        known.put(tried, prepared(model, tried));
                    }
                    out.append(" | ").append(notes.cell(c, feature.getKey(), known.get(tried)));
                }
                out.append(" |\n");
            }
        }
        return out.toString();
    }

    private static Verdict prepared(ModelHandle model, Tried tried) throws Exception {
        try (Executor executor = tried.column().open()) {
            return prepared(model, executor, tried.options());
        }
    }

    /** What becomes of a driver over an executor, which stays open. */
    static Verdict prepared(ModelHandle model, Executor executor, DriverOptions options) throws Exception {
        return switch (Driver.over(model, executor, options).prepare()) {
            case Preparation.Ready r -> {
                r.driver().close();
                yield Verdict.RUNS;
            }
            case Preparation.Refused r -> {
                r.driver().close();
                yield Verdict.refused(r.fault());
            }
        };
    }

    /** What is tried, by its name. */
    static Map<String, DriverOptions> features() {
        Map<String, DriverOptions> out = new LinkedHashMap<>();
        for (KvForm form : KvForm.values()) {
            out.put("cache in " + form + ", rows with memory of their own", PLAIN.withKv(form));
            out.put("cache in " + form + ", rows that share a pool", PLAIN.withKv(form).withPool(4, 4, true));
        }
        out.put("several rows in a step", PLAIN.withRows(3));
        for (HeadKind head : HeadKind.values()) {
            out.put("choice " + text(head), PLAIN.withHeads(EnumSet.of(head)));
        }
        out.put("choice sample, with log-probabilities", PLAIN.withHeads(EnumSet.of(HeadKind.SAMPLE)).withLogprobs(5));
        out.put("choice sample, among few", PLAIN.withHeads(EnumSet.of(HeadKind.SAMPLE)).withCandidates(40));
        for (Fusion f : Fusion.values()) {
            out.put("fusion " + text(f), PLAIN.withFusion(f));
        }
        return out;
    }

    private static String text(Enum<?> e) {
        return e.name().toLowerCase(Locale.ROOT);
    }
}
