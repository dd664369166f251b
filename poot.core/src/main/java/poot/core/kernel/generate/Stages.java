package poot.core.kernel.generate;

import java.util.List;
import java.util.Objects;
import poot.core.kernel.device.Grid;

/**
 * Kernels that together compute one thing, one after the other; each sees what those before it wrote.
 *
 * @param scratch bytes of each memory that is theirs meanwhile, at multiples of 16 bytes; it may hold anything before
 */
public record Stages(List<Stage> stages, List<Long> scratch) {
    public Stages {
        stages = List.copyOf(stages);
        scratch = List.copyOf(scratch);
    }

    /**
     * One kernel.
     *
     * @param given one for each parameter
     */
    public record Stage(Generator generator, Grid grid, List<Given> given) {
        public Stage {
            Objects.requireNonNull(generator, "generator");
            Objects.requireNonNull(grid, "grid");
            given = List.copyOf(given);
        }
    }

    /** What a parameter stands for. */
    public sealed interface Given {
        /** The memory of an operand of the operation. */
        record Operand(int index) implements Given {}

        /** The memory of a result of the operation. */
        record Result(int index) implements Given {}

        /** Memory that is the stages' own. */
        record Scratch(int index) implements Given {}

        /** A U32. */
        record Number(int value) implements Given {}
    }

    /** One kernel alone. */
    public static Stages of(Generator generator, Grid grid, List<Given> given) {
        return new Stages(List.of(new Stage(generator, grid, given)), List.of());
    }
}
