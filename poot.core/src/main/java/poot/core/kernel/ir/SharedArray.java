package poot.core.kernel.ir;

import java.util.Objects;

/**
 * Memory that the threads of a workgroup share while it runs; aligned to 16 bytes; undefined at the start.
 *
 * @param name unique in its kernel
 * @param length elements
 */
public record SharedArray(String name, MemoryType type, int length) {
    public SharedArray {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        if (length < 1 || length > 1 << 20) {
            throw new InvalidKernelException("shared array " + name + " of " + length + " elements", "use 1 to " + (1 << 20));
        }
    }

    /** Bytes, rounded up to the alignment of the next array. */
    public int bytes() {
        return (length * type.bytes() + 15) & -16;
    }
}
