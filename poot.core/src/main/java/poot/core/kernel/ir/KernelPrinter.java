package poot.core.kernel.ir;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Kernels as text, one instruction a line, blocks indented. Equal kernels have equal text and others have not. */
public final class KernelPrinter {
    private final StringBuilder out = new StringBuilder();

    private KernelPrinter() {}

    /** A whole kernel. */
    public static String print(DeviceKernel k) {
        KernelPrinter p = new KernelPrinter();
        p.out.append("kernel ").append(k.name()).append(" workgroup ").append(k.workgroup()).append(" subgroup ").append(k.subgroup());
        k.needs().forEach(c -> p.out.append(" needs ").append(word(c)));
        p.out.append('\n');
        for (Param param : k.params()) {
            String access = param instanceof Param.Buffer b ? word(b.access()) + " " : "";
            p.line(1, "param " + access + typed(param.reg()) + " = " + param.name());
        }
        for (SharedArray s : k.shared()) {
            p.line(1, "shared " + s.name() + " " + s.type() + "[" + s.length() + "]");
        }
        p.block(k.body(), 1);
        return p.out.toString();
    }

    /** The first line of one instruction. */
    public static String print(Instruction i) {
        String results = i.results().isEmpty() ? "" : i.results().stream().map(KernelPrinter::typed).collect(Collectors.joining(", ")) + " = ";
        return results + switch (i) {
            case Instruction.Constant c -> "literal " + literal(c);
            case Instruction.ReadBuiltin b -> word(b.builtin());
            case Instruction.Unary u -> word(u.op()) + " " + u.a();
            case Instruction.Binary b -> word(b.op()) + " " + list(b.operands());
            case Instruction.Compare c -> word(c.op()) + " " + list(c.operands());
            case Instruction.Fma f -> "fma " + list(f.operands());
            case Instruction.Select s -> "select " + list(s.operands());
            case Instruction.Convert c -> word(c.op()) + " " + c.a();
            case Instruction.Dot4 d -> "dot4 " + list(d.operands());
            case Instruction.Advance a -> "advance " + a.buffer() + " + " + a.count() + " * " + a.strideBytes();
            case Instruction.Load l -> "load " + place(l.place());
            case Instruction.Store s -> "store " + place(s.place()) + " = " + list(s.values());
            case Instruction.Atomic a -> "atomic " + word(a.op()) + " " + place(a.place()) + ", " + a.value();
            case Instruction.Barrier b -> "barrier";
            case Instruction.SubgroupReduce r -> "reduce " + word(r.op()) + " " + r.a();
            case Instruction.Shuffle s -> "shuffle " + s.a() + " from " + s.lane();
            case Instruction.ShuffleXor s -> "shuffle " + s.a() + " xor " + s.mask();
            case Instruction.Broadcast b -> "broadcast " + b.a();
            case Instruction.CopyAsync c -> "copy " + place(c.to()) + " = " + place(c.from()) + ", " + c.bytes() + " bytes";
            case Instruction.CommitCopies c -> "commit copies";
            case Instruction.AwaitCopies a -> "await copies to " + a.pending();
            case Instruction.FragmentFill f -> "fill " + f.value();
            case Instruction.FragmentLoad f -> "load " + place(f.place()) + " stride " + f.stride() + " " + word(f.layout());
            case Instruction.FragmentMultiply m -> "multiply " + list(m.operands());
            case Instruction.FragmentStore f -> "store " + place(f.place()) + " stride " + f.stride() + " " + word(f.layout()) + " = " + f.fragment();
            case Instruction.If f -> "if " + f.condition();
            case Instruction.For f -> "for " + typed(f.variable()) + " from " + f.from() + " to " + f.to() + " step " + f.step()
                    + carried(f.carried(), f.initial());
            case Instruction.While w -> "while" + carried(w.carried(), w.initial());
        };
    }

    private void block(Block b, int depth) {
        for (Instruction i : b.instructions()) {
            line(depth, print(i));
            switch (i) {
                case Instruction.If f -> {
                    block(f.then(), depth + 1);
                    if (!f.otherwise().instructions().isEmpty() || !f.otherwise().yields().isEmpty()) {
                        line(depth, "else");
                        block(f.otherwise(), depth + 1);
                    }
                }
                case Instruction.While w -> {
                    block(w.condition(), depth + 1);
                    line(depth, "do");
                    block(w.body(), depth + 1);
                }
                default -> i.blocks().forEach(inner -> block(inner, depth + 1));
            }
        }
        if (!b.yields().isEmpty()) {
            line(depth, "yield " + list(b.yields()));
        }
    }

    private void line(int depth, String text) {
        out.append("  ".repeat(depth)).append(text).append('\n');
    }

    private static String literal(Instruction.Constant c) {
        return switch (c.result().type()) {
            case ScalarType.F32 -> Float.intBitsToFloat(c.bits()) + " (0x" + Integer.toHexString(c.bits()) + ")";
            case ScalarType.U32 -> Integer.toUnsignedString(c.bits());
            case ScalarType.BOOL -> c.bits() != 0 ? "true" : "false";
            default -> Integer.toString(c.bits());
        };
    }

    private static String place(Place p) {
        return switch (p) {
            case Place.Global g -> g.type() + " " + g.buffer() + "[" + g.index() + "]";
            case Place.Shared s -> s.array().name() + "[" + s.index() + "]";
        };
    }

    private static String carried(List<Reg> carried, List<Reg> initial) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < carried.size(); k++) {
            text.append(k == 0 ? " carry " : ", ").append(typed(carried.get(k))).append(" = ").append(initial.get(k));
        }
        return text.toString();
    }

    private static String typed(Reg r) {
        return r.type() + " " + r;
    }

    private static String list(List<Reg> regs) {
        return regs.stream().map(Reg::toString).collect(Collectors.joining(", "));
    }

    private static String word(Enum<?> e) {
        return e.name().toLowerCase(Locale.ROOT);
    }
}
