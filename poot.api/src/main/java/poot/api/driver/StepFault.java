package poot.api.driver;

import java.util.List;
import poot.api.executor.ExecutorException;
import poot.api.graph.Fault;

/** Why a step, or one row of it, failed. */
public sealed interface StepFault extends Fault permits StepFault.Failure, Incompatible {
    /** A failure of the step itself. */
    sealed interface Failure extends StepFault {}

    /** The logits of a row are not finite. */
    record NonFinite(long sequence, int position) implements Failure {
        @Override
        public String message() {
            return "the logits of sequence " + sequence + " at position " + position + " are not finite";
        }
    }

    /** A condition of the model's graph did not hold for the row. */
    record Invalid(long sequence, String what) implements Failure {
        @Override
        public String message() {
            return "sequence " + sequence + ": " + what;
        }
    }

    /** Another row of the same run failed a condition, which left this row's state undefined. */
    record Disturbed(long sequence, List<Long> by) implements Failure {
        public Disturbed {
            by = List.copyOf(by);
        }

        @Override
        public String message() {
            return "sequence " + sequence + " ran beside sequences " + by + ", whose failure left its state undefined";
        }
    }

    /** The row's cache is full. */
    record CapacityExhausted(long sequence, int capacity) implements Failure {
        @Override
        public String message() {
            return "sequence " + sequence + " has filled its " + capacity + " positions";
        }
    }

    /** There are not blocks enough for the row's next tokens. It was not fed and stays as it was. */
    record PoolDry(long sequence, int tokens, CacheUse use) implements Failure {
        @Override
        public String message() {
            return "there are not blocks enough for " + tokens + " tokens of sequence " + sequence + ": " + use.available() + " of "
                    + use.total() + " can be had, of " + use.positions() + " positions each; release or suspend a sequence first";
        }
    }

    /** There is nothing to feed: a commit is awaited, or the sequence failed or was released. */
    record NotPending(long sequence, Sequence.Phase phase) implements Failure {
        @Override
        public String message() {
            return "sequence " + sequence + " has nothing to feed: it is " + phase;
        }
    }

    /** A sequence is given twice in one step, or belongs to another driver. */
    record Misplaced(long sequence, String reason) implements Failure {
        @Override
        public String message() {
            return "sequence " + sequence + " " + reason;
        }
    }

    /** A committed id is outside the model's vocabulary. */
    record UnknownToken(long sequence, int id, int vocabulary) implements Failure {
        @Override
        public String message() {
            return "sequence " + sequence + ": token " + id + " is outside the vocabulary of " + vocabulary;
        }
    }

    /** The device failed; every row of the run is lost. */
    record Device(ExecutorException.ExecutorFault fault) implements Failure {
        @Override
        public String message() {
            return fault.message();
        }
    }
}
