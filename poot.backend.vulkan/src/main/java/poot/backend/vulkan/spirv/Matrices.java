package poot.backend.vulkan.spirv;

import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Place;
import poot.core.kernel.ir.Reg;

/** Matrix fragments as cooperative matrices of a subgroup (SPV_KHR_cooperative_matrix). */
final class Matrices {
    private final Writer w;
    private final Types types;
    private final GlobalMemory global;
    private final SharedMemory shared;

    Matrices(Writer w, GlobalMemory global, SharedMemory shared) {
        this.w = w;
        this.types = w.types();
        this.global = global;
        this.shared = shared;
    }

    int fill(Instruction.FragmentFill i) {
        Fragment f = (Fragment) i.result().type();
        int value = w.get(i.value());
        int component = types.component(f.element());
        int one = switch (f.element()) {
            case F32 -> value;
            case I32, U32 -> w.bits(component, value);
            case F16, BF16 -> w.op(Op.F_CONVERT, component, value);
            case U8, I8, U16, I16 -> w.op(Op.S_CONVERT, component, value);
        };
        return w.op(Op.COMPOSITE_CONSTRUCT, types.register(f), one);
    }

    int load(Instruction.FragmentLoad i) {
        int type = w.type(i.result());
        int pointer = pointer(i.place());
        int layout = layout(i.layout());
        int stride = w.get(i.stride());
        return switch (i.place()) {
            case Place.Global g -> w.op(Op.COOPERATIVE_MATRIX_LOAD, type, pointer, layout, stride, global.access(g), 16);
            case Place.Shared s -> w.op(Op.COOPERATIVE_MATRIX_LOAD, type, pointer, layout, stride, Spirv.ACCESS_NON_PRIVATE);
        };
    }

    void store(Instruction.FragmentStore i) {
        int pointer = pointer(i.place());
        int layout = layout(i.layout());
        int stride = w.get(i.stride());
        int object = w.get(i.fragment());
        switch (i.place()) {
            case Place.Global g -> w.effect(Op.COOPERATIVE_MATRIX_STORE, pointer, object, layout, stride, global.access(g), 16);
            case Place.Shared s -> w.effect(Op.COOPERATIVE_MATRIX_STORE, pointer, object, layout, stride, Spirv.ACCESS_NON_PRIVATE);
        }
    }

    int multiply(Instruction.FragmentMultiply i) {
        int type = w.type(i.result());
        int a = w.get(i.a());
        int b = w.get(i.b());
        int c = w.get(i.accumulator());
        return ((Fragment) i.result().type()).element() == MemoryType.I32
                ? w.op(Op.COOPERATIVE_MATRIX_MUL_ADD, type, a, b, c, Spirv.MATRIX_SIGNED)
                : w.op(Op.COOPERATIVE_MATRIX_MUL_ADD, type, a, b, c);
    }

    /** A pointer to the first element, inside an array of elements of its size. */
    private int pointer(Place place) {
        return switch (place) {
            case Place.Shared s -> shared.pointer(s, 0);
            case Place.Global g -> {
                int element = element(g.type());
                int run = types.run(element, g.type().bytes());
                int base = w.op(Op.CONVERT_U_TO_PTR, types.pointer(Spirv.STORAGE_PHYSICAL, run), global.address(g));
                yield w.op(Op.ACCESS_CHAIN, types.pointer(Spirv.STORAGE_PHYSICAL, element), base, types.u32(0), types.u32(0));
            }
        };
    }

    private int element(MemoryType type) {
        return switch (type.bytes()) {
            case 1 -> {
                w.module().capability(Spirv.CAPABILITY_STORAGE_BUFFER_8);
                yield types.u8();
            }
            case 2 -> {
                w.module().capability(Spirv.CAPABILITY_STORAGE_BUFFER_16);
                yield types.u16();
            }
            default -> type == MemoryType.F32 ? types.f32() : types.u32();
        };
    }

    private int layout(Layout layout) {
        return types.u32(layout == Layout.ROW_MAJOR ? Spirv.MATRIX_ROW_MAJOR : Spirv.MATRIX_COLUMN_MAJOR);
    }

    /** Whether a register holds a fragment. */
    static boolean isFragment(Reg reg) {
        return reg.type() instanceof Fragment;
    }
}
