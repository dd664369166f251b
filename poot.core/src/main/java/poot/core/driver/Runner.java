package poot.core.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import poot.api.driver.Pick;
import poot.api.driver.RowResult;
import poot.api.driver.StepFault;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;
import poot.api.model.ModelSchema;
import poot.core.sample.SampleOutput;

/** Runs one entry for its rows and reads what came back. */
final class Runner {
    private final States states;
    private final StepBinder binder;

    Runner(States states, StepBinder binder) {
        this.states = states;
        this.binder = binder;
    }

    /** Feeds the rows of a run; the results go to their places in {@code results}. */
    void run(Run run, RowResult[] results) {
        binder.bind(run);
        try {
            run.entry().entry().run(states);
        } catch (ExecutorException e) {
            run.feeds().forEach(f -> results[f.at()] = failed(f, fault(e, run, f)));
            return;
        }
        for (int row = 0; row < run.feeds().size(); row++) {
            Run.Feed f = run.feeds().get(row);
            results[f.at()] = result(run.entry(), row, f);
        }
    }

    private static RowResult failed(Run.Feed f, StepFault fault) {
        f.sequence().fail();
        return new RowResult.Failed(f.sequence(), fault);
    }

    private static StepFault fault(ExecutorException e, Run run, Run.Feed f) {
        if (!(e.fault() instanceof ExecutorException.Invalid invalid)) {
            return new StepFault.Device(e.fault());
        }
        List<Long> guilty = new ArrayList<>();
        for (int row : invalid.rows()) {
            if (row < run.feeds().size()) {
                guilty.add(run.feeds().get(row).sequence().id());
            }
        }
        long id = f.sequence().id();
        return guilty.contains(id) ? new StepFault.Invalid(id, invalid.what()) : new StepFault.Disturbed(id, guilty);
    }

    private static RowResult result(PreparedEntry entry, int row, Run.Feed f) {
        OpenSequence s = f.sequence();
        boolean judged = entry.gives(SampleOutput.FINITE);
        if (judged && output(entry, SampleOutput.FINITE).get(JAVA_BYTE, row) == 0) {
            return failed(f, new StepFault.NonFinite(s.id(), s.fed() + f.count() - 1));
        }
        s.feed(f.count());
        if (judged) {
            s.prove();
        }
        if (s.pending() > 0) {
            return new RowResult.Fed(s, s.pending());
        }
        if (s.request().logits()) {
            return new RowResult.Logits(s, logits(entry, row));
        }
        return new RowResult.Picked(s, pick(entry, row, s.request().sampling().logprobs()));
    }

    private static float[] logits(PreparedEntry entry, int row) {
        MemorySegment all = output(entry, ModelSchema.LOGITS);
        long bytes = all.byteSize() / entry.rows();
        return all.asSlice(row * bytes, bytes).toArray(JAVA_FLOAT_UNALIGNED);
    }

    private static Pick pick(PreparedEntry entry, int row, int logprobs) {
        int token = output(entry, SampleOutput.TOKEN).get(JAVA_INT_UNALIGNED, 4L * row);
        if (logprobs == 0) {
            return new Pick(token, Float.NaN, List.of());
        }
        float logprob = output(entry, SampleOutput.LOGPROB).get(JAVA_FLOAT_UNALIGNED, 4L * row);
        MemorySegment ids = output(entry, SampleOutput.TOP_TOKENS);
        MemorySegment values = output(entry, SampleOutput.TOP_LOGPROBS);
        int width = Math.toIntExact(ids.byteSize() / 4 / entry.rows());
        List<Pick.Candidate> top = new ArrayList<>();
        for (int i = 0; i < Math.min(logprobs, width); i++) {
            long at = 4L * ((long) row * width + i);
            top.add(new Pick.Candidate(ids.get(JAVA_INT_UNALIGNED, at), values.get(JAVA_FLOAT_UNALIGNED, at)));
        }
        return new Pick(token, logprob, top);
    }

    private static MemorySegment output(PreparedEntry entry, String name) {
        return entry.entry().output(name);
    }
}
