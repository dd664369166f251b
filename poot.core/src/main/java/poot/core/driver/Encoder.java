package poot.core.driver;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.driver.AdmitException;
import poot.api.driver.AdmitFault;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.SeqRequest;
import poot.api.driver.StepFault;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;

/**
 * Runs rows through the encode program: each is padded to the smallest prepared pass, and rows of one pass run together
 * in entries without padding rows, so that what a row gives does not depend on its company.
 */
final class Encoder {
    private final Serving owner;
    private final ModelSchema schema;
    private final Admission admission;
    private final PreparedSet prepared;
    private final StepKeys keys;
    private final StepBinder binder;
    private final States states;

    Encoder(Serving owner, ModelSchema schema, Admission admission, PreparedSet prepared, StepKeys keys, StepBinder binder,
            States states) {
        this.owner = owner;
        this.schema = schema;
        this.admission = admission;
        this.prepared = prepared;
        this.keys = keys;
        this.binder = binder;
        this.states = states;
    }

    List<EncodeResult> encode(List<EncodeRow> rows) throws AdmitException {
        if (schema.program(ProgramName.ENCODE).isEmpty()) {
            throw new AdmitException(new AdmitFault.NoProgram(ProgramName.ENCODE.toString()));
        }
        if (!keys.encodes()) {
            throw new AdmitException(new AdmitFault.NotPrepared("an encode pass", "encodeTokens"));
        }
        for (EncodeRow row : rows) {
            admission.check(row.ids(), row.inputs());
        }
        EncodeResult[] results = new EncodeResult[rows.size()];
        Map<EntryKey, List<Integer>> kinds = new LinkedHashMap<>();
        for (int i = 0; i < results.length; i++) {
            kinds.computeIfAbsent(alone(rows.get(i)), k -> new ArrayList<>()).add(i);
        }
        kinds.forEach((kind, places) -> {
            int tokens = kind.shape().tokens();
            List<Integer> counts = kind.carried().isEmpty() ? keys.encodeRows(tokens) : List.of(1);
            for (int from = 0; from < places.size(); ) {
                int count = Ladder.within(counts, places.size() - from);
                run(keys.encode(count, tokens, kind.carried()), places.subList(from, from + count), rows, results);
                from += count;
            }
        });
        return List.of(results);
    }

    private EntryKey alone(EncodeRow row) {
        return keys.encode(1, keys.encodeTokens(row.ids().length), Admission.carried(schema, row.inputs(), true));
    }

    /** Runs the rows at {@code places}; where their values break a validation each runs once more, by itself. */
    private void run(EntryKey key, List<Integer> places, List<EncodeRow> rows, EncodeResult[] results) {
        PreparedEntry entry = prepared.find(key).orElseThrow(() -> new IllegalStateException("not prepared: " + key));
        List<Run.Feed> feeds = new ArrayList<>();
        for (int place : places) {
            EncodeRow row = rows.get(place);
            OpenSequence s = new OpenSequence(owner, place, 0, SeqRequest.of(row.ids()).withInputs(row.inputs()));
            feeds.add(new Run.Feed(s, row.ids().length, place));
        }
        binder.bind(new Run(entry, feeds));
        try {
            entry.entry().run(states);
        } catch (ExecutorException e) {
            if (places.size() > 1 && e.fault() instanceof ExecutorException.Invalid) {
                places.forEach(place -> run(alone(rows.get(place)), List.of(place), rows, results));
            } else {
                places.forEach(place -> results[place] = failed(place, e));
            }
            return;
        }
        for (int row = 0; row < feeds.size(); row++) {
            results[feeds.get(row).at()] = result(entry, row, feeds.get(row));
        }
    }

    private static EncodeResult failed(int place, ExecutorException e) {
        return new EncodeResult.Failed(e.fault() instanceof ExecutorException.Invalid invalid
                ? new StepFault.Invalid(place, invalid.what()) : new StepFault.Device(e.fault()));
    }

    private static EncodeResult result(PreparedEntry entry, int row, Run.Feed f) {
        boolean embeds = entry.gives(ModelSchema.EMBEDDING);
        MemorySegment all = entry.entry().output(embeds ? ModelSchema.EMBEDDING : ModelSchema.SCORE);
        long bytes = all.byteSize() / entry.rows();
        float[] values = all.asSlice(row * bytes, bytes).toArray(JAVA_FLOAT_UNALIGNED);
        for (float v : values) {
            if (!Float.isFinite(v)) {
                return new EncodeResult.Failed(new StepFault.NonFinite(f.at(), f.count() - 1));
            }
        }
        return embeds ? new EncodeResult.Embedding(values) : new EncodeResult.Score(values[0]);
    }
}
