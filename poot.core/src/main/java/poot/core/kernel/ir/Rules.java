package poot.core.kernel.ir;

import static poot.core.kernel.ir.ScalarType.BOOL;
import static poot.core.kernel.ir.ScalarType.BUFFER;
import static poot.core.kernel.ir.ScalarType.F32;
import static poot.core.kernel.ir.ScalarType.I32;
import static poot.core.kernel.ir.ScalarType.U32;

import java.util.List;

/** The types of each instruction. */
final class Rules {
    private Rules() {}

    /** Whether an instruction takes and gives what its declaration names. */
    static boolean typed(Instruction i, DeviceKernel kernel) {
        return switch (i) {
            case Instruction.Constant c -> (Types.isNumber(c.result()) || c.result().type() == BOOL && c.bits() >>> 1 == 0);
            case Instruction.ReadBuiltin b -> b.result().type() == U32;
            case Instruction.Unary u -> u.op().takes(u.a().type()) && same(u.result(), u.a());
            case Instruction.Binary b -> b.op().takes(b.a().type()) && same(b.a(), b.b()) && same(b.result(), b.a());
            case Instruction.Compare c -> c.result().type() == BOOL && same(c.a(), c.b()) && (Types.isNumber(c.a())
                    || c.a().type() == BOOL && (c.op() == Comparison.EQ || c.op() == Comparison.NE));
            case Instruction.Fma f -> Types.all(f.operands(), F32) && f.result().type() == F32;
            case Instruction.Select s -> s.condition().type() == BOOL && same(s.then(), s.otherwise()) && same(s.result(), s.then())
                    && s.result().type() instanceof ScalarType;
            case Instruction.Convert c -> c.a().type() == c.op().from() && c.result().type() == c.op().to();
            case Instruction.Dot4 d -> Types.all(List.of(d.a(), d.b()), U32) && Types.all(List.of(d.accumulator(), d.result()), I32);
            case Instruction.Advance a -> Types.all(List.of(a.buffer(), a.result()), BUFFER) && a.count().type() == U32;
            case Instruction.Load l -> lanes(l.results(), l.place());
            case Instruction.Store s -> lanes(s.values(), s.place());
            case Instruction.Atomic a -> addressed(a.place()) && a.place().type() == MemoryType.U32 && Types.all(List.of(a.value(), a.result()), U32);
            case Instruction.Barrier b -> true;
            case Instruction.SubgroupReduce r -> r.op().takes(r.a().type()) && same(r.result(), r.a());
            case Instruction.Shuffle s -> Types.isNumber(s.a()) && same(s.result(), s.a()) && s.lane().type() == U32;
            case Instruction.ShuffleXor s -> Types.isNumber(s.a()) && same(s.result(), s.a()) && s.mask() >= 1 && s.mask() < kernel.subgroup();
            case Instruction.Broadcast b -> Types.isNumber(b.a()) && same(b.result(), b.a());
            case Instruction.CopyAsync c -> addressed(c.to()) && addressed(c.from()) && (c.bytes() == 4 || c.bytes() == 8 || c.bytes() == 16);
            case Instruction.CommitCopies c -> true;
            case Instruction.AwaitCopies a -> a.pending() >= 0;
            case Instruction.FragmentFill f -> f.result().type() instanceof Fragment t
                    && f.value().type() == (t.element() == MemoryType.I8 || t.element() == MemoryType.I32 ? I32 : F32);
            case Instruction.FragmentLoad f -> f.result().type() instanceof Fragment t && addressed(f.place())
                    && f.place().type() == t.element() && f.stride().type() == U32;
            case Instruction.FragmentMultiply m -> KernelValidator.multiplies(m.a(), m.b(), m.accumulator()) && same(m.result(), m.accumulator());
            case Instruction.FragmentStore f -> f.fragment().type() instanceof Fragment t && t.use() == Fragment.Use.ACCUMULATOR
                    && addressed(f.place()) && f.place().type() == t.element() && f.stride().type() == U32;
            case Instruction.If f -> f.condition().type() == BOOL;
            case Instruction.For f -> Types.isInteger(f.variable()) && same(f.variable(), f.from()) && same(f.from(), f.to()) && same(f.from(), f.step());
            case Instruction.While w -> true;
        };
    }

    private static boolean lanes(List<Reg> regs, Place place) {
        int n = regs.size();
        return (n == 1 || n == 2 || n == 4) && Types.all(regs, place.type().register()) && addressed(place);
    }

    private static boolean addressed(Place place) {
        return place.index().type() == U32 && switch (place) {
            case Place.Global g -> g.buffer().type() == BUFFER;
            case Place.Shared s -> true;
        };
    }

    private static boolean same(Reg a, Reg b) {
        return a.type().equals(b.type());
    }
}
