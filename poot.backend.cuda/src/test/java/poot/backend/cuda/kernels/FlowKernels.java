package poot.backend.cuda.kernels;

import static poot.backend.cuda.kernels.KernelCase.Compared;
import static poot.backend.cuda.kernels.KernelCase.floats;
import static poot.backend.cuda.kernels.KernelCase.room;
import static poot.backend.cuda.kernels.KernelCase.u32;
import static poot.backend.cuda.kernels.KernelCase.words;

import java.util.List;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/** Choices and loops: taken alike and not, nested, carrying registers that change places. */
public final class FlowKernels {
    private static final int THREADS = 64;

    private FlowKernels() {}

    /** All of them. */
    public static List<KernelCase> all() {
        return List.of(choices(), places(), parting(), waiting(), rows(), grid());
    }

    /** Results of every type out of choices within choices. */
    private static KernelCase choices() {
        KernelBuilder b = new KernelBuilder("choices", THREADS, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg other = b.buffer("other", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = b.thread();
        Reg x = b.load(MemoryType.F32, in, i);
        List<Reg> got = b.choose(b.lt(i, b.u32(40)), () -> List.of(b.mul(x, 2f), b.add(i, 1), b.lt(x, b.f32(1)), in, b.i32(-4)),
                () -> List.of(b.either(b.lt(x, b.f32(0)), () -> b.neg(x), () -> x), b.u32(9), b.bool(true), other, b.toI32(i)));
        Reg sum = b.add(b.toF32(got.get(1)), b.add(b.toF32(b.toU32(got.get(2))), b.toF32(got.get(4))));
        b.store(MemoryType.F32, out, i, b.add(b.add(got.get(0), sum), b.load(MemoryType.F32, got.get(3), i)));
        b.when(b.eq(b.and(i, b.u32(3)), b.u32(1)), () -> b.store(MemoryType.F32, out, b.add(i, THREADS), b.f32(5)));
        return new KernelCase(b.build(), Grid.of(1), List.of(floats(Awkward.floats(THREADS, 0)), floats(Awkward.floats(THREADS, 1)), room(2 * THREADS, Compared.FLOATS)));
    }

    /** What a loop carries changes places each time round; inner loops begin with what the outer carries. */
    private static KernelCase places() {
        KernelBuilder b = new KernelBuilder("places", THREADS, 32);
        Reg n = b.scalar("n", ScalarType.U32);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = b.thread();
        List<Reg> got = b.loop(b.u32(0), n, 1, List.of(b.u32(1), i, b.u32(3), b.bool(false)), (k, c) -> {
            List<Reg> inner = b.loop(k, n, 2, List.of(c.get(2), c.get(0)), (m, d) -> List.of(d.get(1), b.add(d.get(0), m)));
            return List.of(c.get(1), b.add(inner.get(0), c.get(0)), b.xor(c.get(0), inner.get(1)), b.not(c.get(3)));
        });
        for (int k = 0; k < 3; k++) {
            b.store(MemoryType.U32, out, b.add(i, b.u32(k * THREADS)), got.get(k));
        }
        b.store(MemoryType.U32, out, b.add(i, b.u32(3 * THREADS)), b.toU32(got.get(3)));
        return new KernelCase(b.build(), Grid.of(1), List.of(u32(7), room(4 * THREADS, Compared.BITS)));
    }

    /** Lanes that stay in loops for different times, signed and unsigned. */
    private static KernelCase parting() {
        KernelBuilder b = new KernelBuilder("parting", THREADS, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = b.thread();
        Reg n = b.and(b.load(MemoryType.U32, in, i), b.u32(15));
        Reg steps = b.loopWhile(List.of(n, b.u32(0)), c -> b.ne(c.getFirst(), b.u32(1)), c -> List.of(
                b.either(b.lt(c.getFirst(), b.u32(2)), () -> b.u32(1), () -> b.either(b.eq(b.and(c.getFirst(), b.u32(1)), b.u32(0)),
                        () -> b.shr(c.getFirst(), b.u32(1)), () -> b.mad(c.getFirst(), 3, b.u32(1)))), b.add(c.get(1), 1))).get(1);
        Reg signed = b.loop(b.neg(b.toI32(n)), b.toI32(steps), 3, b.i32(0), (k, s) -> b.add(s, k));
        Reg none = b.loop(b.toI32(n), b.i32(-3), 1, b.i32(77), (k, s) -> b.i32(0));
        b.store(MemoryType.I32, out, i, b.add(b.add(signed, none), b.toI32(steps)));
        return new KernelCase(b.build(), Grid.of(1), List.of(words(Awkward.words(THREADS, 2)), room(THREADS, Compared.BITS)));
    }

    /** Barriers in loops that all go round alike: a prefix sum through shared memory. */
    private static KernelCase waiting() {
        KernelBuilder b = new KernelBuilder("waiting", 256, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        SharedArray sums = b.shared("sums", MemoryType.U32, 256);
        Reg i = b.thread();
        b.store(sums, i, b.load(MemoryType.U32, in, b.globalThread()));
        b.barrier();
        b.loopWhile(b.u32(1), d -> b.lt(d, b.u32(256)), d -> {
            Reg mine = b.load(sums, i);
            Reg before = b.either(b.ge(i, d), () -> b.load(sums, b.sub(i, d)), () -> b.u32(0));
            b.barrier();
            b.store(sums, i, b.add(mine, before));
            b.barrier();
            return b.shl(d, b.u32(1));
        });
        b.store(MemoryType.U32, out, b.globalThread(), b.load(sums, i));
        return new KernelCase(b.build(), Grid.of(3), List.of(words(Awkward.words(768, 2)), room(768, Compared.BITS)));
    }

    /** A row a subgroup, reduced in turns of 32, and what lane 0 alone does. */
    private static KernelCase rows() {
        KernelBuilder b = new KernelBuilder("rows", 128, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg width = b.scalar("width", ScalarType.U32);
        Reg row = b.mad(b.workgroupX(), 4, b.subgroup());
        Reg start = b.advance(in, b.mul(row, width), 4);
        Reg sum = b.loop(b.u32(0), width, 32, b.u32(0), (k, s) -> {
            Reg at = b.add(k, b.lane());
            return b.add(s, b.either(b.lt(at, width), () -> b.load(MemoryType.U32, start, at), () -> b.u32(0)));
        });
        Reg total = b.reduce(ReduceOp.ADD, sum);
        b.when(b.eq(b.lane(), b.u32(0)), () -> b.store(MemoryType.U32, out, row, total));
        return new KernelCase(b.build(), Grid.of(2), List.of(words(Awkward.words(8 * 77, 2)), room(8, Compared.BITS), u32(77)));
    }

    /** A grid along three axes. */
    private static KernelCase grid() {
        KernelBuilder b = new KernelBuilder("grid", 32, 32);
        Reg out = b.buffer("out", Access.WRITE);
        Reg block = b.mad(b.mad(b.workgroupZ(), b.gridY(), b.workgroupY()), b.gridX(), b.workgroupX());
        b.store(MemoryType.U32, out, b.mad(block, 32, b.lane()), b.mad(block, 100, b.thread()));
        return new KernelCase(b.build(), new Grid(3, 4, 2), List.of(room(24 * 32, Compared.BITS)));
    }
}
