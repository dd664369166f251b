package poot.core.driver;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.util.ArrayList;
import java.util.List;
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

/** Runs rows through the encode program, one after another, each padded to the smallest prepared pass. */
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
        List<EncodeResult> out = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            out.add(encode(i, rows.get(i)));
        }
        return out;
    }

    private EncodeResult encode(int at, EncodeRow row) {
        int[] ids = row.ids();
        EntryKey key = keys.encode(keys.encodeTokens(ids.length), Admission.carried(schema, row.inputs(), true));
        PreparedEntry entry = prepared.find(key).orElseThrow(() -> new IllegalStateException("not prepared: " + key));
        OpenSequence s = new OpenSequence(owner, at, 0, SeqRequest.of(ids).withInputs(row.inputs()));
        binder.bind(new Run(entry, List.of(new Run.Feed(s, ids.length, 0))));
        try {
            entry.entry().run(states);
        } catch (ExecutorException e) {
            return new EncodeResult.Failed(e.fault() instanceof ExecutorException.Invalid invalid
                    ? new StepFault.Invalid(at, invalid.what()) : new StepFault.Device(e.fault()));
        }
        boolean embeds = entry.gives(ModelSchema.EMBEDDING);
        float[] values = entry.entry().output(embeds ? ModelSchema.EMBEDDING : ModelSchema.SCORE).toArray(JAVA_FLOAT_UNALIGNED);
        for (float v : values) {
            if (!Float.isFinite(v)) {
                return new EncodeResult.Failed(new StepFault.NonFinite(at, ids.length - 1));
            }
        }
        return embeds ? new EncodeResult.Embedding(values) : new EncodeResult.Score(values[0]);
    }
}
