package poot.core.kernel.device;

import java.util.Objects;
import poot.core.kernel.ir.ScalarType;

/** What a launch gives for one parameter; fixed once recorded. What changes from run to run lies in a host buffer. */
public sealed interface Argument {
    /** The type of the parameter it is for. */
    ScalarType type();

    /** Memory from {@code offset} bytes on to {@code offset + bytes}, which is all the kernel may touch. */
    record Memory(DeviceMemory memory, long offset, long bytes) implements Argument {
        public Memory {
            Objects.requireNonNull(memory, "memory");
            if (offset < 0 || bytes < 0 || offset > memory.bytes() - bytes) {
                throw new IllegalArgumentException(bytes + " bytes at " + offset + " of " + memory.what() + ", which has " + memory.bytes()
                        + ": stay within it");
            }
        }

        /** Where it begins. */
        public long address() {
            return memory.address() + offset;
        }

        @Override
        public ScalarType type() {
            return ScalarType.BUFFER;
        }
    }

    /** A number of U32 or I32. */
    record Int(ScalarType type, int value) implements Argument {
        public Int {
            if (!type.isInteger()) {
                throw new IllegalArgumentException("an integer argument of " + type + ": use u32 or i32");
            }
        }
    }

    /** A number of F32. */
    record Float(float value) implements Argument {
        @Override
        public ScalarType type() {
            return ScalarType.F32;
        }
    }

    /** All of some memory. */
    static Argument of(DeviceMemory memory) {
        return new Memory(memory, 0, memory.bytes());
    }

    /** Memory from {@code offset} bytes on to {@code offset + bytes}. */
    static Argument of(DeviceMemory memory, long offset, long bytes) {
        return new Memory(memory, offset, bytes);
    }

    /** A U32. */
    static Argument u32(int value) {
        return new Int(ScalarType.U32, value);
    }

    /** An I32. */
    static Argument i32(int value) {
        return new Int(ScalarType.I32, value);
    }

    /** An F32. */
    static Argument f32(float value) {
        return new Float(value);
    }
}
