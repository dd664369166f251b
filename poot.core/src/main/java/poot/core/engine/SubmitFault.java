package poot.core.engine;

import java.util.Objects;
import poot.api.driver.AdmitFault;
import poot.api.graph.Fault;

/** Why a request is not accepted; it took nothing. */
public sealed interface SubmitFault extends Fault {
    /** The queue is full; the same request may be accepted later. */
    record QueueFull(int limit, int waiting) implements SubmitFault {
        @Override
        public String message() {
            return waiting + " requests wait and the queue takes " + limit + "; try again later";
        }
    }

    /** The engine finishes what it has and takes nothing new. */
    record Draining() implements SubmitFault {
        @Override
        public String message() {
            return "the engine is shutting down and takes no new request";
        }
    }

    /** The engine broke, or was closed. */
    record Stopped(String cause) implements SubmitFault {
        public Stopped {
            Objects.requireNonNull(cause);
        }

        @Override
        public String message() {
            return "the engine serves no more: " + cause;
        }
    }

    /** The request itself is refused, however idle the engine is. */
    record Admission(AdmitFault fault) implements SubmitFault {
        public Admission {
            Objects.requireNonNull(fault);
        }

        @Override
        public String message() {
            return fault.message();
        }
    }

    /** More rows to encode in one request than the engine lets wait. */
    record TooManyRows(int rows, int limit) implements SubmitFault {
        @Override
        public String message() {
            return rows + " rows to encode at once; the engine takes " + limit + ", so send them in parts";
        }
    }
}
