package poot.backend.vulkan.spirv;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.core.kernel.ir.InvalidKernelException;
import poot.core.kernel.ir.Reg;

/** The function being written: where instructions go, which block is open, and the id of every register. */
final class Writer {
    private final SpirvModule module;
    private final Types types;
    private final Map<Reg, Integer> registers = new HashMap<>();
    private int block;

    Writer(SpirvModule module) {
        this.module = module;
        this.types = new Types(module);
    }

    SpirvModule module() {
        return module;
    }

    Types types() {
        return types;
    }

    /** Adds an instruction with a result of {@code type}, and returns its id. */
    int op(int op, int type, int... operands) {
        int id = module.id();
        int[] all = new int[operands.length + 2];
        all[0] = type;
        all[1] = id;
        System.arraycopy(operands, 0, all, 2, operands.length);
        module.code().op(op, all);
        return id;
    }

    /** Adds an instruction without a result. */
    void effect(int op, int... operands) {
        module.code().op(op, operands);
    }

    /** Adds an instruction of the set GLSL.std.450. */
    int glsl(int instruction, int type, int... operands) {
        int[] all = new int[operands.length + 2];
        all[0] = module.glsl();
        all[1] = instruction;
        System.arraycopy(operands, 0, all, 2, operands.length);
        return op(Op.EXT_INST, type, all);
    }

    /** Adds arithmetic of F32 that is never joined with other arithmetic. */
    int exact(int id) {
        module.decorate(id, Spirv.DECORATION_NO_CONTRACTION);
        return id;
    }

    /** A component of a composite. */
    int extract(int type, int composite, int index) {
        return op(Op.COMPOSITE_EXTRACT, type, composite, index);
    }

    /** {@code condition ? then : otherwise}. */
    int select(int type, int condition, int then, int otherwise) {
        return op(Op.SELECT, type, condition, then, otherwise);
    }

    /** The bits of {@code value} as {@code type}. */
    int bits(int type, int value) {
        return op(Op.BITCAST, type, value);
    }

    // Blocks

    /** Opens the block {@code label}, which the instructions before it ended. */
    void open(int label) {
        module.code().op(Op.LABEL, label);
        block = label;
    }

    /** The block that is open. */
    int block() {
        return block;
    }

    /** Ends the open block. */
    void branch(int label) {
        effect(Op.BRANCH, label);
    }

    /** Ends the open block. */
    void branch(int condition, int then, int otherwise) {
        effect(Op.BRANCH_CONDITIONAL, condition, then, otherwise);
    }

    // Registers

    /** The id that holds a register. */
    int get(Reg reg) {
        Integer id = registers.get(reg);
        if (id == null) {
            throw new InvalidKernelException("register " + reg + " is read before it is assigned", "validate the kernel first");
        }
        return id;
    }

    /** The ids of several. */
    int[] get(List<Reg> regs) {
        return regs.stream().mapToInt(this::get).toArray();
    }

    /** Says which id holds a register. */
    void set(Reg reg, int id) {
        registers.put(reg, id);
    }

    /** The type of what holds a register. */
    int type(Reg reg) {
        return types.register(reg.type());
    }
}
