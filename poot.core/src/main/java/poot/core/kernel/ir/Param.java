package poot.core.kernel.ir;

import java.util.Objects;

/** What a kernel is launched with, the same for every thread. */
public sealed interface Param {
    /** What it is called in messages; unique in its kernel. */
    String name();

    /** The register that holds it from the start. */
    Reg reg();

    /** An address in device memory. */
    record Buffer(String name, Access access, Reg reg) implements Param {
        public Buffer {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(access, "access");
            if (reg.type() != ScalarType.BUFFER) {
                throw new InvalidKernelException("parameter " + name + ": a buffer in a register of " + reg.type(), "use a register of buffer");
            }
        }
    }

    /** A number: U32, I32 or F32. */
    record Scalar(String name, Reg reg) implements Param {
        public Scalar {
            Objects.requireNonNull(name, "name");
            if (!(reg.type() instanceof ScalarType t && t.isNumber())) {
                throw new InvalidKernelException("parameter " + name + ": a scalar of " + reg.type(), "use u32, i32 or f32");
            }
        }
    }
}
