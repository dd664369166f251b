package poot.backend.cuda.ptx;

import poot.core.kernel.ir.Instruction;

/** From one type to another, and 16-bit floats to and from F32. */
final class Conversions {
    private final PtxText out;
    private final PtxTarget target;

    Conversions(PtxText out, PtxTarget target) {
        this.out = out;
        this.target = target;
    }

    void convert(Instruction.Convert c) {
        switch (c.op()) {
            case I32_TO_U32, U32_TO_I32 -> out.registers().alias(c.result(), c.a());
            case I32_TO_F32 -> line("cvt.rn.f32.s32", c);
            case U32_TO_F32 -> line("cvt.rn.f32.u32", c);
            case F32_TO_I32 -> line("cvt.rzi.s32.f32", c);
            case F32_TO_U32 -> line("cvt.rzi.u32.f32", c);
            case F32_TO_BITS, BITS_TO_F32 -> line("mov.b32", c);
            case BOOL_TO_U32 -> {
                String a = out.register(c.a());
                out.line("selp.u32", out.registers().define(c.result()), "1", "0", a);
            }
            case F32_TO_F16_BITS -> {
                String half = half(out.register(c.a()));
                out.line("cvt.u32.u16", out.registers().define(c.result()), half);
            }
            case F16_BITS_TO_F32 -> {
                String a = out.register(c.a());
                String half = out.registers().fresh(PtxRegisters.Kind.HALF);
                out.line("cvt.u16.u32", half, a);
                widenHalf(out.registers().define(c.result()), half);
            }
            case F32_TO_BF16_BITS -> {
                String a = out.register(c.a());
                brain(out.registers().define(c.result()), a);
            }
            case BF16_BITS_TO_F32 -> {
                String a = out.register(c.a());
                widenBrain(out.registers().define(c.result()), a);
            }
        }
    }

    private void line(String op, Instruction.Convert c) {
        String a = out.register(c.a());
        out.line(op, out.registers().define(c.result()), a);
    }

    /** The nearest binary16 of an F32, in a 16-bit register. */
    String half(String f32) {
        String half = out.registers().fresh(PtxRegisters.Kind.HALF);
        out.line("cvt.rn.f16.f32", half, f32);
        return half;
    }

    /** The F32 of a binary16. */
    void widenHalf(String to, String half) {
        out.line("cvt.f32.f16", to, half);
    }

    /** The bits of the nearest bfloat16 of an F32 in the low half of a word, the high half 0. */
    void brain(String to, String f32) {
        if (target.hasAmpere()) {
            String half = out.registers().fresh(PtxRegisters.Kind.HALF);
            out.line("cvt.rn.bf16.f32", half, f32);
            out.line("cvt.u32.u16", to, half);
            return;
        }
        String bits = out.registers().fresh(PtxRegisters.Kind.WORD);
        String odd = out.registers().fresh(PtxRegisters.Kind.WORD);
        String ordered = out.registers().fresh(PtxRegisters.Kind.PREDICATE);
        out.line("mov.b32", bits, f32);
        out.line("shr.u32", odd, bits, "16");
        out.line("and.b32", odd, odd, "1");
        out.line("add.u32", bits, bits, odd);
        out.line("add.u32", bits, bits, "32767");
        out.line("shr.u32", bits, bits, "16");
        out.line("setp.eq.f32", ordered, f32, f32);
        out.line("selp.b32", to, bits, "32767", ordered);
    }

    /** The F32 of the bfloat16 in the low half of a word. */
    void widenBrain(String to, String word) {
        String bits = out.registers().fresh(PtxRegisters.Kind.WORD);
        out.line("shl.b32", bits, word, "16");
        out.line("mov.b32", to, bits);
    }
}
