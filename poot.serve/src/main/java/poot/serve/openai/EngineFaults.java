package poot.serve.openai;

import java.time.Duration;
import poot.api.driver.AdmitFault;
import poot.api.driver.Incompatible;
import poot.api.driver.InputFault;
import poot.core.engine.EngineFault;
import poot.core.engine.SubmitFault;
import poot.serve.fault.ApiFault;

/** What the engine refuses or fails, as faults of the API. */
final class EngineFaults {
    private static final Duration SOON = Duration.ofSeconds(1);

    private EngineFaults() {}

    /** A request that was not accepted; {@code field} holds its prompt. */
    static ApiFault of(SubmitFault fault, String field) {
        return switch (fault) {
            case SubmitFault.QueueFull f -> new ApiFault.Busy(f.waiting() + " requests wait already", SOON);
            case SubmitFault.Draining f -> new ApiFault.NotServing(f.message());
            case SubmitFault.Stopped f -> new ApiFault.NotServing(f.message());
            case SubmitFault.Admission a -> of(a.fault(), field);
            case SubmitFault.TooManyRows t -> new ApiFault.NotAllowed(field, t.rows() + " items", "at most " + t.limit() + " items");
        };
    }

    /** An accepted request that failed. */
    static ApiFault of(EngineFault fault, String field) {
        return switch (fault) {
            case EngineFault.Refused r -> of(r.fault(), field);
            case EngineFault.Step s -> new ApiFault.Failed(s.fault());
            case EngineFault.Broken b -> new ApiFault.NotServing(b.message());
            case EngineFault.Shutdown s -> new ApiFault.NotServing(s.message());
        };
    }

    private static ApiFault of(AdmitFault fault, String field) {
        return switch (fault) {
            case AdmitFault.TooLong t -> new ApiFault.PromptTooLong(field, t.tokens(), t.capacity());
            case AdmitFault.BadSampling b -> new ApiFault.NotAdmitted(b.parameter(), b);
            case AdmitFault.NoFreeRow n -> new ApiFault.Busy(n.message(), SOON);
            case AdmitFault.Device d -> new ApiFault.Failed(d);
            case AdmitFault.EmptyPrompt _, AdmitFault.UnknownToken _, AdmitFault.Unserved _, AdmitFault.NotPrepared _,
                    AdmitFault.NoProgram _ -> new ApiFault.NotAdmitted(field, fault);
            case InputFault i -> new ApiFault.NotAdmitted(field, i);
            case Incompatible i -> new ApiFault.NotAdmitted(field, i);
        };
    }
}
