package poot.backend.vulkan.spirv;

import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.InvalidKernelException;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.ScalarType;

/** Between the lanes of a subgroup. */
final class Lanes {
    private final Writer w;
    private final Types types;

    Lanes(Writer w) {
        this.w = w;
        this.types = w.types();
    }

    int reduce(Instruction.SubgroupReduce i) {
        w.module().capability(Spirv.CAPABILITY_GROUP_NON_UNIFORM_ARITHMETIC);
        return w.op(reduction(i.op(), (ScalarType) i.a().type()), w.type(i.a()), scope(), Spirv.GROUP_REDUCE, w.get(i.a()));
    }

    private static int reduction(ReduceOp op, ScalarType type) {
        return switch (type) {
            case F32 -> switch (op) {
                case ADD -> Op.GROUP_NON_UNIFORM_F_ADD;
                case MIN -> Op.GROUP_NON_UNIFORM_F_MIN;
                case MAX -> Op.GROUP_NON_UNIFORM_F_MAX;
                case AND, OR -> throw wrong(op, type);
            };
            case I32 -> switch (op) {
                case ADD -> Op.GROUP_NON_UNIFORM_I_ADD;
                case MIN -> Op.GROUP_NON_UNIFORM_S_MIN;
                case MAX -> Op.GROUP_NON_UNIFORM_S_MAX;
                case AND, OR -> throw wrong(op, type);
            };
            case U32 -> switch (op) {
                case ADD -> Op.GROUP_NON_UNIFORM_I_ADD;
                case MIN -> Op.GROUP_NON_UNIFORM_U_MIN;
                case MAX -> Op.GROUP_NON_UNIFORM_U_MAX;
                case AND -> Op.GROUP_NON_UNIFORM_BITWISE_AND;
                case OR -> Op.GROUP_NON_UNIFORM_BITWISE_OR;
            };
            case BOOL, BUFFER -> throw wrong(op, type);
        };
    }

    int shuffle(Instruction.Shuffle i) {
        w.module().capability(Spirv.CAPABILITY_GROUP_NON_UNIFORM_SHUFFLE);
        return w.op(Op.GROUP_NON_UNIFORM_SHUFFLE, w.type(i.a()), scope(), w.get(i.a()), w.get(i.lane()));
    }

    int shuffleXor(Instruction.ShuffleXor i) {
        w.module().capability(Spirv.CAPABILITY_GROUP_NON_UNIFORM_SHUFFLE);
        return w.op(Op.GROUP_NON_UNIFORM_SHUFFLE_XOR, w.type(i.a()), scope(), w.get(i.a()), types.u32(i.mask()));
    }

    int broadcast(Instruction.Broadcast i) {
        w.module().capability(Spirv.CAPABILITY_GROUP_NON_UNIFORM_BALLOT);
        return w.op(Op.GROUP_NON_UNIFORM_BROADCAST_FIRST, w.type(i.a()), scope(), w.get(i.a()));
    }

    private int scope() {
        return types.u32(Spirv.SCOPE_SUBGROUP);
    }

    private static InvalidKernelException wrong(ReduceOp op, ScalarType type) {
        return new InvalidKernelException("reduction " + op + " of " + type, "validate the kernel first");
    }
}
