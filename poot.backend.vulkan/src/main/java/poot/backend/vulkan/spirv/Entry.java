package poot.backend.vulkan.spirv;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import poot.core.kernel.ir.Builtin;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Param;

/** What a kernel is told at its start: its parameters and its thread's place. */
final class Entry {
    private final Writer w;
    private final Types types;
    private final DeviceKernel kernel;
    private final boolean bySubgroup;
    private final Map<Builtin, Integer> read = new EnumMap<>(Builtin.class);
    private final Map<Integer, Integer> variables = new java.util.TreeMap<>();
    private int parameters;

    /**
     * @param bySubgroup the kernel looks at lanes or subgroups, so that threads are counted by them: the order in which a
     *     device puts threads into subgroups is its own affair
     */
    Entry(Writer w, DeviceKernel kernel, boolean bySubgroup) {
        this.w = w;
        this.types = w.types();
        this.kernel = kernel;
        this.bySubgroup = bySubgroup;
    }

    /** Reads the parameters, from what was pushed or through the address that was. */
    void parameters(ParameterLayout layout) {
        List<Param> params = kernel.params();
        if (params.isEmpty()) {
            return;
        }
        int[] members = params.stream().mapToInt(p -> types.register(p.reg().type())).toArray();
        int struct = types.block(members, layout.offsets());
        int base = layout.pushed() ? pushed(struct) : record(struct);
        int storage = layout.pushed() ? Spirv.STORAGE_PUSH_CONSTANT : Spirv.STORAGE_PHYSICAL;
        for (int i = 0; i < members.length; i++) {
            int pointer = w.op(Op.ACCESS_CHAIN, types.pointer(storage, members[i]), base, types.u32(i));
            int size = params.get(i) instanceof Param.Buffer ? ParameterLayout.ADDRESS_BYTES : ParameterLayout.SCALAR_BYTES;
            w.set(params.get(i).reg(), layout.pushed() ? w.op(Op.LOAD, members[i], pointer)
                    : w.op(Op.LOAD, members[i], pointer, Spirv.ACCESS_ALIGNED, size));
        }
    }

    private int pushed(int struct) {
        parameters = variable(struct, Spirv.STORAGE_PUSH_CONSTANT);
        return parameters;
    }

    private int record(int struct) {
        int u64 = types.u64();
        int holder = types.block(new int[] {u64}, List.of(0));
        parameters = variable(holder, Spirv.STORAGE_PUSH_CONSTANT);
        int pointer = w.op(Op.ACCESS_CHAIN, types.pointer(Spirv.STORAGE_PUSH_CONSTANT, u64), parameters, types.u32(0));
        return w.op(Op.CONVERT_U_TO_PTR, types.pointer(Spirv.STORAGE_PHYSICAL, struct), w.op(Op.LOAD, u64, pointer));
    }

    /** A builtin. Kernels read each at their head, so a value serves all that follows. */
    int builtin(Builtin builtin) {
        Integer known = read.get(builtin);
        if (known != null) {
            return known;
        }
        int id = switch (builtin) {
            case WORKGROUP_X -> component(Spirv.BUILTIN_WORKGROUP_ID, 0);
            case WORKGROUP_Y -> component(Spirv.BUILTIN_WORKGROUP_ID, 1);
            case WORKGROUP_Z -> component(Spirv.BUILTIN_WORKGROUP_ID, 2);
            case GRID_X -> component(Spirv.BUILTIN_NUM_WORKGROUPS, 0);
            case GRID_Y -> component(Spirv.BUILTIN_NUM_WORKGROUPS, 1);
            case GRID_Z -> component(Spirv.BUILTIN_NUM_WORKGROUPS, 2);
            case LANE -> scalar(Spirv.BUILTIN_SUBGROUP_LOCAL_INVOCATION_ID);
            case SUBGROUP -> scalar(Spirv.BUILTIN_SUBGROUP_ID);
            case THREAD -> bySubgroup ? countedThread() : scalar(Spirv.BUILTIN_LOCAL_INVOCATION_INDEX);
        };
        read.put(builtin, id);
        return id;
    }

    private int countedThread() {
        int first = w.op(Op.I_MUL, types.u32(), builtin(Builtin.SUBGROUP), types.u32(kernel.subgroup()));
        return w.op(Op.I_ADD, types.u32(), first, builtin(Builtin.LANE));
    }

    private int component(int builtin, int index) {
        int vector = types.vector(types.u32(), 3);
        return w.extract(types.u32(), w.op(Op.LOAD, vector, input(builtin, vector)), index);
    }

    private int scalar(int builtin) {
        if (builtin != Spirv.BUILTIN_LOCAL_INVOCATION_INDEX) {
            w.module().capability(Spirv.CAPABILITY_GROUP_NON_UNIFORM);
        }
        return w.op(Op.LOAD, types.u32(), input(builtin, types.u32()));
    }

    private int input(int builtin, int type) {
        Integer known = variables.get(builtin);
        if (known != null) {
            return known;
        }
        int id = variable(type, Spirv.STORAGE_INPUT);
        w.module().decorate(id, Spirv.DECORATION_BUILTIN, builtin);
        variables.put(builtin, id);
        return id;
    }

    private int variable(int type, int storage) {
        int pointer = types.pointer(storage, type);
        int id = w.module().id();
        w.module().globals().op(Op.VARIABLE, pointer, id, storage);
        return id;
    }

    /** The variables, for the entry point. */
    List<Integer> variables() {
        List<Integer> all = new ArrayList<>(variables.values());
        if (parameters != 0) {
            all.add(parameters);
        }
        return all;
    }
}
