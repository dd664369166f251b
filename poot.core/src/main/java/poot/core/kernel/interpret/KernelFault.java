package poot.core.kernel.interpret;

import poot.api.graph.Fault;

/** What a kernel did that a device would answer with garbage, a hang or worse. */
public sealed interface KernelFault extends Fault {
    /** Where. */
    Where where();

    /** An access leaves the buffer or shared array; {@code offset} and sizes are in bytes. */
    record OutOfBounds(Where where, String memory, long offset, long bytes, long size) implements KernelFault {
        @Override
        public String message() {
            return where + ": " + bytes + " bytes at " + offset + " of " + memory + ", which has " + size;
        }
    }

    /** An access is not on a multiple of its size. */
    record Misaligned(Where where, String memory, long address, long alignment) implements KernelFault {
        @Override
        public String message() {
            return where + ": address " + address + " of " + memory + " is not a multiple of " + alignment;
        }
    }

    /** A read of bytes that nothing wrote. */
    record Uninitialised(Where where, String memory, long offset) implements KernelFault {
        @Override
        public String message() {
            return where + ": reads " + memory + " at byte " + offset + ", which nothing wrote";
        }
    }

    /** Two threads reach a byte, one of them writing, with no barrier between them. */
    record Race(Where where, String memory, long offset, String other) implements KernelFault {
        @Override
        public String message() {
            return where + ": reaches " + memory + " at byte " + offset + " together with " + other + ": order them with a barrier";
        }
    }

    /** Not all threads that must arrive together do. */
    record Divergent(Where where, int active, int expected) implements KernelFault {
        @Override
        public String message() {
            return where + ": " + active + " of " + expected + " threads arrive";
        }
    }

    /** Threads of a subgroup differ in what must be the same for all. */
    record NotUniform(Where where, String what) implements KernelFault {
        @Override
        public String message() {
            return where + ": " + what + " differs between threads of a subgroup";
        }
    }

    /** A result that the language leaves undefined. */
    record Undefined(Where where, String what) implements KernelFault {
        @Override
        public String message() {
            return where + ": " + what;
        }
    }

    /** A loop that does not end. */
    record Runaway(Where where, long rounds) implements KernelFault {
        @Override
        public String message() {
            return where + ": still runs after " + rounds + " rounds";
        }
    }
}
