package poot.core.kernel.ir;

import java.util.ArrayList;
import java.util.List;

/** The operands of an instruction, in order. */
final class Operands {
    private Operands() {}

    static List<Reg> of(Reg... regs) {
        return List.of(regs);
    }

    static List<Reg> of(Place place, List<Reg> more) {
        return join(place.operands(), more);
    }

    static List<Reg> join(List<Reg> first, List<Reg> second) {
        List<Reg> out = new ArrayList<>(first);
        out.addAll(second);
        return List.copyOf(out);
    }
}
