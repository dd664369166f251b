package poot.core.kernel.ir;

/** What a kernel does with a buffer. READ promises that nothing writes it while the kernel runs. */
public enum Access {
    READ, WRITE, READ_WRITE;

    /** Whether loads are allowed. */
    public boolean reads() {
        return this != WRITE;
    }

    /** Whether stores and atomics are allowed. */
    public boolean writes() {
        return this != READ;
    }
}
