package poot.core.kernel.ir;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;

/** What types say of registers. */
final class Types {
    private Types() {}

    static boolean isNumber(Reg a) {
        return a.type() instanceof ScalarType t && t.isNumber();
    }

    static boolean isInteger(Reg a) {
        return a.type() instanceof ScalarType t && t.isInteger();
    }

    static boolean all(Collection<Reg> regs, RegisterType type) {
        return regs.stream().allMatch(r -> r.type() == type);
    }

    /** Refuses an operation whose operands have other types than it takes. */
    static void require(boolean holds, Object op, Reg... operands) {
        if (!holds) {
            throw new InvalidKernelException(op + " of " + Arrays.stream(operands).map(r -> r.type().toString()).collect(Collectors.joining(", ")),
                    "give it the types its declaration names, converting first");
        }
    }
}
