package poot.core.engine;

import java.util.Objects;
import poot.api.driver.AdmitFault;
import poot.api.driver.StepFault;
import poot.api.graph.Fault;

/** Why an accepted request failed. */
public sealed interface EngineFault extends Fault {
    /** The driver refused the request when its turn came. */
    record Refused(AdmitFault fault) implements EngineFault {
        public Refused {
            Objects.requireNonNull(fault);
        }

        @Override
        public String message() {
            return fault.message();
        }
    }

    /** A step failed for the request's row. */
    record Step(StepFault fault) implements EngineFault {
        public Step {
            Objects.requireNonNull(fault);
        }

        @Override
        public String message() {
            return fault.message();
        }
    }

    /** The engine itself broke; it serves nothing any more. */
    record Broken(String cause) implements EngineFault {
        public Broken {
            Objects.requireNonNull(cause);
        }

        @Override
        public String message() {
            return "the engine broke (" + cause + "); close it and start another";
        }
    }

    /** The engine was closed before an encode request was done. */
    record Shutdown() implements EngineFault {
        @Override
        public String message() {
            return "the engine was closed before the request was done";
        }
    }
}
