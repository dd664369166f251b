package poot.api.driver;

import java.util.Set;
import poot.api.executor.ExecutorException;
import poot.api.graph.TraceException;
import poot.api.graph.Fault;

/** Why a driver cannot be prepared; nothing of it was published. */
public sealed interface PrepareFault extends Fault permits PrepareFault.Refusal, Incompatible {
    /** A refusal of the preparation itself. */
    sealed interface Refusal extends PrepareFault {}

    /** A step of the set cannot be traced. */
    record Untraceable(String entry, TraceException.TraceFault fault) implements Refusal {
        @Override
        public String message() {
            return entry + ": " + fault.message();
        }
    }

    /** A step of the set cannot be compiled for the executor; {@code fault} names the equation and what is missing. */
    record Uncompilable(String entry, Fault fault) implements Refusal {
        @Override
        public String message() {
            return entry + ": " + fault.message();
        }
    }

    /** A slot of a traced step is nothing the driver can bind. */
    record UnboundSlot(String entry, String slot) implements Refusal {
        @Override
        public String message() {
            return entry + ": slot \"" + slot + "\" is neither a step input, a declared request input nor the driver's own";
        }
    }

    /** The set has more entries than allowed. */
    record TooManyEntries(int limit, int attempted) implements Refusal {
        @Override
        public String message() {
            return attempted + " entries are needed, over the limit of " + limit + "; prepare fewer heads, rows or chunks";
        }
    }

    /** The set would retain more bytes, weights not counted, than the options' bounds allow. */
    record TooManyBytes(String entry, long limit, long attempted) implements Refusal {
        @Override
        public String message() {
            return entry + ": " + attempted + " bytes of entries and states would be retained, over the bound of " + limit
                    + "; prepare fewer rows or positions, a narrower cache, or raise the bound";
        }
    }

    /** The options name an optional input the model does not declare. */
    record UnknownInput(String input, Set<String> optional) implements Refusal {
        public UnknownInput {
            optional = Set.copyOf(optional);
        }

        @Override
        public String message() {
            return "\"" + input + "\" is not an optional input of the model, which has " + optional;
        }
    }

    /** The options and the model do not fit. */
    record BadOption(String option, String value, String allowed) implements Refusal {
        @Override
        public String message() {
            return option + " is " + value + "; it must be " + allowed;
        }
    }

    /** The device cannot hold or run the set. */
    record Device(String entry, ExecutorException.ExecutorFault fault) implements Refusal {
        @Override
        public String message() {
            return entry + ": " + fault.message();
        }
    }
}
