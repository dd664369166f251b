package poot.core.kernel.ir;

import java.util.List;

/** Instructions in order, and the registers that the block hands to what it belongs to. */
public record Block(List<Instruction> instructions, List<Reg> yields) {
    public Block {
        instructions = List.copyOf(instructions);
        yields = List.copyOf(yields);
    }
}
