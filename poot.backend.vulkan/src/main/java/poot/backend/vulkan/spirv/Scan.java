package poot.backend.vulkan.spirv;

import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Set;
import poot.core.kernel.ir.Block;
import poot.core.kernel.ir.Builtin;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Instruction;

/**
 * What a kernel uses, found before it is written.
 *
 * @param builtins that it reads
 * @param subgroups whether its result can depend on which threads share a subgroup
 */
record Scan(Set<Builtin> builtins, boolean subgroups) {
    static Scan of(DeviceKernel kernel) {
        EnumSet<Builtin> builtins = EnumSet.noneOf(Builtin.class);
        boolean subgroups = false;
        ArrayDeque<Block> blocks = new ArrayDeque<>();
        blocks.add(kernel.body());
        while (!blocks.isEmpty()) {
            for (Instruction i : blocks.poll().instructions()) {
                blocks.addAll(i.blocks());
                if (i instanceof Instruction.ReadBuiltin r) {
                    builtins.add(r.builtin());
                }
                subgroups |= joinsLanes(i);
            }
        }
        return new Scan(builtins, subgroups);
    }

    private static boolean joinsLanes(Instruction i) {
        return switch (i) {
            case Instruction.SubgroupReduce _, Instruction.Shuffle _, Instruction.ShuffleXor _, Instruction.Broadcast _,
                    Instruction.FragmentFill _, Instruction.FragmentLoad _, Instruction.FragmentMultiply _,
                    Instruction.FragmentStore _ -> true;
            case Instruction.ReadBuiltin r -> r.builtin() == Builtin.LANE || r.builtin() == Builtin.SUBGROUP;
            case Instruction.Constant _, Instruction.Unary _, Instruction.Binary _, Instruction.Compare _, Instruction.Fma _,
                    Instruction.Select _, Instruction.Convert _, Instruction.Dot4 _, Instruction.Advance _, Instruction.Load _,
                    Instruction.Store _, Instruction.Atomic _, Instruction.Barrier _, Instruction.CopyAsync _,
                    Instruction.CommitCopies _, Instruction.AwaitCopies _, Instruction.If _, Instruction.For _,
                    Instruction.While _ -> false;
        };
    }
}
