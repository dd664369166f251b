package poot.backend.cuda.kernels;

import static poot.backend.cuda.kernels.KernelCase.Compared;
import static poot.backend.cuda.kernels.KernelCase.floats;
import static poot.backend.cuda.kernels.KernelCase.room;
import static poot.backend.cuda.kernels.KernelCase.words;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.BinaryOp;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.Conversion;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.RegisterType;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.UnaryOp;

/** Every operation on registers, one kernel for those of a kind: two operands from memory, each result to memory. */
public final class Instructions {
    private static final int THREADS = 64;
    private static final int BLOCKS = 2;
    private static final int N = THREADS * BLOCKS;

    private Instructions() {}

    /** All of them. */
    public static List<KernelCase> all() {
        List<KernelCase> out = new ArrayList<>();
        out.add(of("unary_exact", ScalarType.F32, Compared.FLOATS, (b, x) -> Arrays.stream(UnaryOp.values())
                .filter(o -> o.takes(ScalarType.F32) && o.ordinal() < UnaryOp.SQRT.ordinal()).map(o -> b.unary(o, x[0])).toList()));
        out.add(of("unary_near", ScalarType.F32, Compared.NEARLY, (b, x) -> Arrays.stream(UnaryOp.values())
                .filter(o -> o.ordinal() >= UnaryOp.SQRT.ordinal() && o != UnaryOp.LOG2).map(o -> b.unary(o, x[0])).toList()));
        out.add(of("log2", ScalarType.F32, Compared.LOGARITHMS, (b, x) -> List.of(b.log2(x[0]), b.log2(b.add(b.f32(1), b.mul(x[1], 1e-3f))))));
        for (ScalarType t : List.of(ScalarType.I32, ScalarType.U32)) {
            out.add(of("unary_" + t, t, Compared.BITS, (b, x) -> Arrays.stream(UnaryOp.values()).filter(o -> o.takes(t))
                    .map(o -> b.unary(o, x[0])).toList()));
            out.add(of("binary_" + t, t, Compared.BITS, (b, x) -> Arrays.stream(BinaryOp.values()).filter(o -> o.takes(t))
                    .map(o -> b.binary(o, x[0], defined(b, o, t, x))).toList()));
        }
        out.add(of("binary_f32", ScalarType.F32, Compared.FLOATS, (b, x) -> Arrays.stream(BinaryOp.values())
                .filter(o -> o.takes(ScalarType.F32) && o != BinaryOp.DIV).map(o -> b.binary(o, x[0], x[1])).toList()));
        out.add(of("divide_f32", ScalarType.F32, Compared.NEARLY, (b, x) -> List.of(b.div(x[0], x[1]), b.div(x[1], b.f32(3)), b.div(b.f32(1), x[0]))));
        out.add(of("fma_f32", ScalarType.F32, Compared.FLOATS, (b, x) -> List.of(b.fma(x[0], x[1], x[0]), b.fma(x[0], b.f32(0.1f), x[1]),
                b.add(b.mul(x[0], x[1]), x[1]))));
        out.add(of("bools", ScalarType.I32, Compared.BITS, Instructions::bools));
        for (ScalarType t : List.of(ScalarType.I32, ScalarType.U32, ScalarType.F32)) {
            out.add(of("compare_" + t, t, Compared.BITS, (b, x) -> Arrays.stream(Comparison.values())
                    .map(o -> b.toU32(b.compare(o, x[0], x[1]))).toList()));
            out.add(of("select_" + t, t, Compared.FLOATS, (b, x) -> List.of(b.select(b.lt(x[0], x[1]), x[0], x[1]),
                    b.select(b.ge(x[0], x[1]), b.number(t, 7), x[1]))));
        }
        for (Conversion c : Conversion.values()) {
            if (c.from() != ScalarType.BOOL) {
                out.add(of("convert_" + c.name().toLowerCase(Locale.ROOT), c.from(), Compared.FLOATS, (b, x) ->
                        List.of(b.convert(c, ordered(b, c, x[0])))));
            }
        }
        out.add(of("dot4", ScalarType.U32, Compared.BITS, (b, x) -> List.of(b.dot4(x[0], x[1], b.toI32(x[1])), b.dot4(x[0], b.u32(0x80ff7f01), b.i32(5)))));
        out.add(of("shuffle", ScalarType.I32, Compared.BITS, (b, x) -> List.of(b.shuffle(x[0], b.and(b.toU32(x[1]), b.u32(31))),
                b.shuffleXor(x[0], 5), b.shuffleXor(x[1], 16), b.broadcast(x[0]), b.shuffle(x[1], b.u32(31)))));
        out.add(of("shuffle_f32", ScalarType.F32, Compared.FLOATS, (b, x) -> List.of(b.shuffle(x[0], b.sub(b.u32(31), b.lane())),
                b.shuffleXor(x[0], 1), b.broadcast(x[1]))));
        for (ScalarType t : List.of(ScalarType.I32, ScalarType.U32)) {
            out.add(of("reduce_" + t, t, Compared.BITS, (b, x) -> Arrays.stream(ReduceOp.values()).filter(o -> o.takes(t))
                    .map(o -> b.reduce(o, x[0])).toList()));
        }
        out.add(of("reduce_f32", ScalarType.F32, Compared.FLOATS, (b, x) -> List.of(b.reduce(ReduceOp.MIN, x[0]), b.reduce(ReduceOp.MAX, x[1]),
                b.reduce(ReduceOp.ADD, b.toF32(b.lane())))));
        out.add(of("place", ScalarType.U32, Compared.BITS, (b, x) -> List.of(b.workgroupX(), b.workgroupY(), b.workgroupZ(), b.gridX(), b.gridY(),
                b.gridZ(), b.thread(), b.lane(), b.subgroup(), b.add(x[0], b.globalThread()))));
        return out;
    }

    /** Bits of NaN are the device's affair. */
    private static Reg ordered(KernelBuilder b, Conversion c, Reg x) {
        boolean toBits = c == Conversion.F32_TO_BITS || c == Conversion.F32_TO_F16_BITS || c == Conversion.F32_TO_BF16_BITS;
        return toBits ? b.select(b.eq(x, x), x, b.f32(0.25f)) : x;
    }

    /** The second operand where the operation is defined. */
    private static Reg defined(KernelBuilder b, BinaryOp o, ScalarType t, Reg[] x) {
        return switch (o) {
            case DIV, REM -> b.select(b.or(b.eq(x[1], b.number(t, 0)), b.eq(x[1], b.number(t, -1))), b.number(t, 3), x[1]);
            case SHL, SHR -> b.and(x[1], b.number(t, 31));
            default -> x[1];
        };
    }

    private static List<Reg> bools(KernelBuilder b, Reg[] x) {
        Reg p = b.lt(x[0], x[1]);
        Reg q = b.gt(x[0], b.i32(0));
        List<Reg> all = List.of(b.and(p, q), b.or(p, q), b.xor(p, q), b.not(p), b.eq(p, q), b.ne(p, q), b.select(p, q, b.not(q)),
                b.select(p, b.bool(true), q), b.and(p, b.bool(false)), b.eq(p, b.bool(true)));
        return all.stream().map(b::toU32).toList();
    }

    private static KernelCase of(String name, ScalarType type, Compared compared, BiFunction<KernelBuilder, Reg[], List<Reg>> body) {
        KernelBuilder b = new KernelBuilder(name, THREADS, 32);
        MemoryType memory = memory(type);
        Reg first = b.buffer("first", Access.READ);
        Reg second = b.buffer("second", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = b.globalThread();
        List<Reg> results = body.apply(b, new Reg[] {b.load(memory, first, i), b.load(memory, second, i)});
        for (int k = 0; k < results.size(); k++) {
            b.store(memory(results.get(k).type()), out, b.add(i, b.u32(k * N)), results.get(k));
        }
        boolean real = type == ScalarType.F32;
        return new KernelCase(b.build(), Grid.of(BLOCKS), List.of(
                real ? floats(Awkward.floats(N, 0)) : words(Awkward.words(N, 0)),
                real ? floats(Awkward.floats(N, 3)) : words(Awkward.words(N, 3)),
                room(results.size() * N, compared)));
    }

    private static MemoryType memory(RegisterType type) {
        return type == ScalarType.F32 ? MemoryType.F32 : type == ScalarType.I32 ? MemoryType.I32 : MemoryType.U32;
    }
}
