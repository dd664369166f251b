package poot.api.driver;

import java.util.Set;
import poot.api.executor.ExecutorException;
import poot.api.graph.Fault;

/** Why a request is not admitted; it took nothing. */
public sealed interface AdmitFault extends Fault permits AdmitFault.Refusal, InputFault, Incompatible {
    /** A refusal of the request itself. */
    sealed interface Refusal extends AdmitFault {}

    /** There is no token. */
    record EmptyPrompt() implements Refusal {
        @Override
        public String message() {
            return "the prompt has no token";
        }
    }

    /** An id is outside the model's vocabulary. */
    record UnknownToken(int index, int id, int vocabulary) implements Refusal {
        @Override
        public String message() {
            return "token " + index + " of the prompt is " + id + ", outside the vocabulary of " + vocabulary;
        }
    }

    /** The prompt does not fit a row. */
    record TooLong(int tokens, int capacity) implements Refusal {
        @Override
        public String message() {
            return "a prompt of " + tokens + " tokens does not fit a row of " + capacity + " positions";
        }
    }

    /** Every row is taken. */
    record NoFreeRow(int rows) implements Refusal {
        @Override
        public String message() {
            return "all " + rows + " rows are taken; release a sequence first";
        }
    }

    /** A sampling parameter is out of its range. */
    record BadSampling(String parameter, String value, String allowed) implements Refusal {
        @Override
        public String message() {
            return parameter + " is " + value + "; it must be " + allowed;
        }
    }

    /** No prepared head serves the request. */
    record Unserved(String asked, Set<HeadKind> prepared) implements Refusal {
        public Unserved {
            prepared = Set.copyOf(prepared);
        }

        @Override
        public String message() {
            return asked + " needs a head the driver did not prepare; it has " + prepared;
        }
    }

    /** The device could not take the sequence's rows. */
    record Device(ExecutorException.ExecutorFault fault) implements Refusal {
        @Override
        public String message() {
            return fault.message();
        }
    }

    /** The driver's options left out what the request needs. */
    record NotPrepared(String what, String option) implements Refusal {
        @Override
        public String message() {
            return what + " was not prepared; the driver's options allow none (" + option + ")";
        }
    }

    /** The model has no such program. */
    record NoProgram(String program) implements Refusal {
        @Override
        public String message() {
            return "the model has no program \"" + program + "\"";
        }
    }
}
