package poot.core.kernel.interpret;

import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.KernelPrinter;

/** Where an interpreter is, and when: what faults name and races are told by. */
final class Site {
    private final String name;
    final Phases phases;
    int x;
    int y;
    int z;
    int thread;
    Instruction instruction;

    /** The start of a kernel, or of another command, called so. */
    Site(String name, Phases phases) {
        this.name = name;
        this.phases = phases;
    }

    Where where() {
        return new Where(name, instruction == null ? "start" : KernelPrinter.print(instruction), x, y, z, thread);
    }

    KernelFaultException undefined(String what) {
        return new KernelFaultException(new KernelFault.Undefined(where(), what));
    }
}
