package poot.core.kernel.ir;

import java.util.List;
import java.util.Objects;

/** An element in memory. An access of several lanes lies on a multiple of lanes * element bytes. */
public sealed interface Place {
    /** The element that lies there. */
    MemoryType type();

    /** Which, in elements of {@link #type()}, U32. */
    Reg index();

    /** The registers that say where. */
    List<Reg> operands();

    /** In device memory: {@code buffer + index * type.bytes()}, in 64 bits. */
    record Global(MemoryType type, Reg buffer, Reg index) implements Place {
        public Global {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(buffer, "buffer");
            Objects.requireNonNull(index, "index");
        }

        @Override
        public List<Reg> operands() {
            return List.of(buffer, index);
        }
    }

    /** In a shared array. */
    record Shared(SharedArray array, Reg index) implements Place {
        public Shared {
            Objects.requireNonNull(array, "array");
            Objects.requireNonNull(index, "index");
        }

        @Override
        public MemoryType type() {
            return array.type();
        }

        @Override
        public List<Reg> operands() {
            return List.of(index);
        }
    }
}
