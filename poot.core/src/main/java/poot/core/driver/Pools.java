package poot.core.driver;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;
import poot.api.model.StateSpec;
import poot.core.sample.SampleState;

/** The rows of the pools: one recurrent row and one sampling row a sequence. */
final class Pools {
    private final States states;
    private final List<StateSpec> specs;
    private final int rows;
    private final int vocabulary;
    private final BitSet taken = new BitSet();
    private final BitSet seeded = new BitSet();

    Pools(States states, List<StateSpec> specs, int rows, int vocabulary) {
        this.states = states;
        this.specs = List.copyOf(specs);
        this.rows = rows;
        this.vocabulary = vocabulary;
    }

    int rows() {
        return rows;
    }

    int free() {
        return rows - taken.cardinality();
    }

    /** Takes the lowest free row, clean: recurrent states zeroed, and what the sequence before it left behind. */
    int take() throws ExecutorException {
        int row = taken.nextClearBit(0);
        forget(row);
        if (seeded.get(row)) {
            states.clear(SampleState.COUNTS.state(), (long) row * vocabulary, (row + 1L) * vocabulary);
            states.clear(SampleState.BIAS.state(), (long) row * vocabulary, (row + 1L) * vocabulary);
        }
        seeded.clear(row);
        taken.set(row);
        return row;
    }

    /** Forgets the past that a row's recurrent states hold. */
    void forget(int row) throws ExecutorException {
        for (StateSpec s : specs) {
            if (s.extent() == StateSpec.Extent.SEQUENCES) {
                states.clear(s.name(), row, row + 1L);
            }
        }
    }

    /** Seeds the sampling row of a sequence with its prompt and its logit bias. */
    void seed(OpenSequence s) throws ExecutorException {
        seeded.set(s.row());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment line = arena.allocate(JAVA_FLOAT_UNALIGNED, vocabulary);
            for (int p = 0; p < s.prompt(); p++) {
                line.setAtIndex(JAVA_FLOAT_UNALIGNED, s.token(p), SampleState.PROMPT);
            }
            states.write(SampleState.COUNTS.state(), (long) s.row() * vocabulary, line);
            line.fill((byte) 0);
            s.request().sampling().adjustment().bias().forEach((token, bias) -> line.setAtIndex(JAVA_FLOAT_UNALIGNED, token, bias));
            states.write(SampleState.BIAS.state(), (long) s.row() * vocabulary, line);
        }
    }

    /** Frees a row. */
    void give(int row) {
        taken.clear(row);
    }
}
