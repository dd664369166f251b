package poot.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.driver.UnpreparedDriver;
import poot.api.model.WeightException;
import poot.core.driver.Driver;
import poot.core.driver.ModelHandle;
import poot.oracleexec.OracleExecutor;

/** Drivers over the toy model on the toy backend. */
final class Toy {
    static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withRows(4).withCapacity(32)
            .withPrefillChunk(8).withHeads(EnumSet.allOf(HeadKind.class)).withLogprobs(5).withEncodeTokens(16).withVerify(true);

    private Toy() {}

    static ServingDriver serving(ToyModel model, DriverOptions options) throws WeightException {
        try (ModelHandle handle = ModelHandle.of(model, ToyModel.store())) {
            UnpreparedDriver driver = Driver.over(handle, new OracleExecutor(), options);
            return switch (driver.prepare()) {
                case Preparation.Ready r -> r.driver();
                case Preparation.Refused r -> throw new AssertionError(r.fault().message());
            };
        }
    }

    /** Steps a sequence until its pending tokens are fed. */
    static RowResult feed(ServingDriver d, Sequence s) throws Exception {
        RowResult r = d.step(List.of(RowWork.of(s))).getFirst();
        while (r instanceof RowResult.Fed) {
            r = d.step(List.of(RowWork.of(s))).getFirst();
        }
        return r;
    }

    /** The logits after each of a prompt's tokens and n greedy ones, fed as the driver's chunk says. */
    static List<float[]> logits(ServingDriver d, SeqRequest request, int n) throws Exception {
        Sequence s = d.open(request.withLogits());
        List<float[]> out = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            float[] logits = ((RowResult.Logits) feed(d, s)).logits();
            out.add(logits);
            d.commit(s, argMax(logits));
        }
        d.release(s);
        assertEquals(Sequence.Phase.RELEASED, s.phase());
        return out;
    }

    static int argMax(float[] x) {
        int best = 0;
        for (int i = 1; i < x.length; i++) {
            best = x[i] > x[best] ? i : best;
        }
        return best;
    }
}
