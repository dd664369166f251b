package poot.api.driver;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A finished generation.
 *
 * @param picks  the tokens handed to the sink
 * @param finish why it ended
 * @param fault  the step's fault where it ended in one; the tokens before it stand
 */
public record Generation(List<Pick> picks, Finish finish, Optional<StepFault> fault) {
    /** Why a generation ended. */
    public enum Finish {
        /** A stop id was chosen. */
        STOP,
        /** The token limit was reached. */
        LENGTH,
        /** The cache of the row is full. */
        CAPACITY,
        /** The sink asked to end. */
        CANCELLED,
        /** A step failed. */
        FAILED
    }

    public Generation {
        picks = List.copyOf(picks);
    }

    /** The ids. */
    public int[] tokens() {
        return picks.stream().mapToInt(Pick::token).toArray();
    }

    @Override
    public String toString() {
        return finish + " " + Arrays.toString(tokens()) + fault.map(f -> " " + f.message()).orElse("");
    }
}
