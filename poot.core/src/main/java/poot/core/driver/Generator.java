package poot.core.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import poot.api.driver.AdmitException;
import poot.api.driver.AdmitFault;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Generation;
import poot.api.driver.Generation.Finish;
import poot.api.driver.Pick;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepException;
import poot.api.driver.StepFault;
import poot.api.driver.TokenSink;

/** The serving surface driven for one row: open, step, commit, release, and a sink for the tokens. */
final class Generator {
    private final ServingDriver driver;

    Generator(ServingDriver driver) {
        this.driver = driver;
    }

    Generation generate(SeqRequest request, GenerateLimits limits, TokenSink sink) throws AdmitException {
        if (request.logits()) {
            throw new AdmitException(new AdmitFault.Unserved("a generation from full logits", driver.heads()));
        }
        Sequence s = driver.open(request);
        List<Pick> picks = new ArrayList<>();
        try {
            return run(s, limits, sink, picks);
        } catch (StepException e) {
            return new Generation(picks, Finish.FAILED, Optional.of(e.fault()));
        } finally {
            driver.release(s);
        }
    }

    private Generation run(Sequence s, GenerateLimits limits, TokenSink sink, List<Pick> picks) throws StepException {
        while (true) {
            RowResult result = driver.step(List.of(RowWork.of(s))).getFirst();
            switch (result) {
                case RowResult.Fed f -> { }
                case RowResult.Failed f -> {
                    return new Generation(picks, Finish.FAILED, Optional.of(f.fault()));
                }
                case RowResult.Logits l -> throw new IllegalStateException("logits came back unasked for " + s);
                case RowResult.Picked p -> {
                    Optional<Finish> end = take(p.pick(), limits, sink, picks);
                    if (end.isPresent()) {
                        return new Generation(picks, end.get(), Optional.empty());
                    }
                    if (!commit(s, p.pick().token())) {
                        return new Generation(picks, Finish.CAPACITY, Optional.empty());
                    }
                }
            }
        }
    }

    private static Optional<Finish> take(Pick pick, GenerateLimits limits, TokenSink sink, List<Pick> picks) {
        if (limits.stopIds().contains(pick.token())) {
            return Optional.of(Finish.STOP);
        }
        picks.add(pick);
        if (!sink.accept(pick)) {
            return Optional.of(Finish.CANCELLED);
        }
        return picks.size() < limits.maxTokens() ? Optional.empty() : Optional.of(Finish.LENGTH);
    }

    private boolean commit(Sequence s, int token) throws StepException {
        try {
            driver.commit(s, token);
            return true;
        } catch (StepException e) {
            if (e.fault() instanceof StepFault.CapacityExhausted) {
                return false;
            }
            throw e;
        }
    }
}
