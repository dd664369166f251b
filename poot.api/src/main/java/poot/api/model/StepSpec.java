package poot.api.model;

import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** What to trace: a program, the shape of its step, and which optional request inputs the step binds. */
public record StepSpec(ProgramName program, StepShape shape, Set<String> carried) {
    public StepSpec {
        Objects.requireNonNull(program);
        Objects.requireNonNull(shape);
        carried = Collections.unmodifiableSortedSet(new TreeSet<>(carried));
    }

    /** A program at a shape, with no optional input. */
    public static StepSpec of(ProgramName program, StepShape shape) {
        return new StepSpec(program, shape, Set.of());
    }
}
