package poot.backend.cuda.kernels;

import static poot.backend.cuda.kernels.KernelCase.Compared;
import static poot.backend.cuda.kernels.KernelCase.floats;
import static poot.backend.cuda.kernels.KernelCase.f32;
import static poot.backend.cuda.kernels.KernelCase.room;
import static poot.backend.cuda.kernels.KernelCase.u32;
import static poot.backend.cuda.kernels.KernelCase.words;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.AtomicOp;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/** Loads, stores, atomics and copies: every type, width and kind of memory. */
public final class MemoryKernels {
    private static final int THREADS = 64;
    private static final List<Integer> LANES = List.of(1, 2, 4);

    private MemoryKernels() {}

    /** All of them. */
    public static List<KernelCase> all() {
        List<KernelCase> out = new ArrayList<>();
        for (MemoryType t : MemoryType.values()) {
            for (int lanes : LANES) {
                out.add(global(t, lanes));
                out.add(shared(t, lanes, 0));
            }
        }
        out.add(shared(MemoryType.F32, 4, 60 << 10));
        out.add(narrow());
        out.add(advance());
        out.add(atomics());
        for (int bytes : List.of(4, 8, 16)) {
            out.add(copies(bytes));
        }
        return out;
    }

    /** Each thread turns its elements round and stores them, and what they were converted to. */
    private static KernelCase global(MemoryType t, int lanes) {
        KernelBuilder b = new KernelBuilder("global_" + t + "_" + lanes, THREADS, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg same = b.buffer("same", Access.READ_WRITE);
        Reg wide = b.buffer("wide", Access.WRITE);
        Reg at = b.mul(b.globalThread(), lanes);
        List<Reg> x = new ArrayList<>(b.load(t, in, at, lanes));
        MemoryType register = t.register() == ScalarType.F32 ? MemoryType.F32 : t.register() == ScalarType.I32 ? MemoryType.I32 : MemoryType.U32;
        b.store(register, wide, at, x);
        List<Reg> back = b.load(t, same, at, lanes);
        List<Reg> sum = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            sum.add(t.register() == ScalarType.F32 ? b.max(x.get(lanes - 1 - i), back.get(i)) : b.add(x.get(lanes - 1 - i), back.get(i)));
        }
        b.store(t, same, at, sum);
        int n = THREADS * 2 * lanes;
        return new KernelCase(b.build(), Grid.of(2), List.of(elements(t, n, 1), elements(t, n, 2),
                room(n, t.register() == ScalarType.F32 ? Compared.FLOATS : Compared.BITS)));
    }

    /** Elements of a type that are no NaN, whose bits would be the device's affair. */
    private static KernelCase.Given elements(MemoryType t, int n, int turn) {
        int words = (n * t.bytes() + 3) / 4;
        if (t.register() != ScalarType.F32) {
            return words(Awkward.words(words, turn));
        }
        float[] values = Awkward.floats(n, turn);
        int[] out = new int[words];
        for (int i = 0; i < n; i++) {
            float x = Float.isNaN(values[i]) ? 1.25f : values[i];
            switch (t) {
                case F32 -> out[i] = Float.floatToRawIntBits(x);
                case F16 -> out[i / 2] |= (Float.floatToFloat16(x) & 0xffff) << 16 * (i & 1);
                default -> out[i / 2] |= (Float.floatToRawIntBits(x) >>> 16) << 16 * (i & 1);
            }
        }
        return words(out);
    }

    /** Through shared memory, read by another thread; with so much more of it that a launch has to ask. */
    private static KernelCase shared(MemoryType t, int lanes, int more) {
        KernelBuilder b = new KernelBuilder("shared_" + t + "_" + lanes + (more > 0 ? "_large" : ""), THREADS, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        SharedArray before = b.shared("before", MemoryType.U8, 5 + more);
        SharedArray array = b.shared("array", t, THREADS * lanes);
        Reg thread = b.thread();
        Reg at = b.add(b.mul(b.workgroupX(), THREADS * lanes), b.mul(thread, lanes));
        b.when(b.eq(thread, b.u32(1)), () -> b.store(before, b.u32(4), b.u32(7)));
        b.store(array, b.mul(thread, lanes), b.load(t, in, at, lanes));
        b.barrier();
        Reg other = b.sub(b.u32(THREADS - 1), thread);
        b.store(t, out, at, b.load(array, b.mul(other, lanes), lanes));
        b.when(b.eq(thread, b.u32(0)), () -> b.store(MemoryType.U32, b.buffer("seen", Access.WRITE), b.workgroupX(), b.load(before, b.u32(4))));
        int n = THREADS * 2 * lanes;
        return new KernelCase(b.build(), Grid.of(2), List.of(elements(t, n, 1), room((n * t.bytes() + 3) / 4, Compared.BITS), room(2, Compared.BITS)));
    }

    /** Floats stored narrow: rounding, overflow, underflow. */
    private static KernelCase narrow() {
        KernelBuilder b = new KernelBuilder("narrow", THREADS, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg half = b.buffer("half", Access.WRITE);
        Reg brain = b.buffer("brain", Access.WRITE);
        Reg i = b.globalThread();
        Reg x = b.load(MemoryType.F32, in, i);
        Reg ordered = b.select(b.eq(x, x), x, b.f32(3.14159f));
        b.store(MemoryType.F16, half, i, ordered);
        b.store(MemoryType.BF16, brain, i, ordered);
        return new KernelCase(b.build(), Grid.of(8), List.of(floats(Awkward.floats(512, 0)), room(256, Compared.BITS), room(256, Compared.BITS)));
    }

    /** Addresses by count and stride, forwards and backwards, known and not. */
    private static KernelCase advance() {
        KernelBuilder b = new KernelBuilder("advance", THREADS, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg step = b.scalar("step", ScalarType.U32);
        Reg scale = b.scalar("scale", ScalarType.F32);
        Reg i = b.thread();
        Reg there = b.advance(in, i, 8);
        Reg back = b.advance(b.advance(in, b.u32(2 * THREADS - 2), 4), i, -8);
        Reg chosen = b.select(b.lt(i, step), there, back);
        Reg far = b.advance(b.advance(in, step, 0x1_0000_0000L), step, -0x1_0000_0000L);
        List<Reg> results = List.of(b.load(MemoryType.F32, there, b.u32(1)), b.load(MemoryType.F32, back, b.u32(0)),
                b.mul(b.load(MemoryType.F32, chosen, b.u32(0)), scale), b.load(MemoryType.F32, far, i));
        for (int k = 0; k < results.size(); k++) {
            b.store(MemoryType.F32, b.advance(out, b.u32(k), 4L * THREADS), i, results.get(k));
        }
        return new KernelCase(b.build(), Grid.of(1), List.of(floats(Awkward.floats(2 * THREADS, 4)), room(4 * THREADS, Compared.FLOATS), u32(20), f32(1.5f)));
    }

    private static KernelCase atomics() {
        KernelBuilder b = new KernelBuilder("atomics", THREADS, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg out = b.buffer("out", Access.READ_WRITE);
        SharedArray counts = b.shared("counts", MemoryType.U32, 3);
        Reg thread = b.thread();
        Reg x = b.load(MemoryType.U32, in, b.globalThread());
        b.when(b.lt(thread, b.u32(3)), () -> b.store(counts, thread, b.u32(0)));
        b.barrier();
        for (AtomicOp op : AtomicOp.values()) {
            b.atomic(op, KernelBuilder.at(counts, b.u32(op.ordinal())), x);
            b.atomic(op, KernelBuilder.at(MemoryType.U32, out, b.u32(op.ordinal())), x);
        }
        b.barrier();
        b.when(b.lt(thread, b.u32(3)), () -> b.store(MemoryType.U32, out, b.add(b.mul(b.workgroupX(), 3), b.add(thread, 3)), b.load(counts, thread)));
        return new KernelCase(b.build(), Grid.of(2), List.of(words(Awkward.words(2 * THREADS, 5)), room(9, Compared.BITS)));
    }

    /** Two groups of copies in flight, the first awaited before the second. */
    private static KernelCase copies(int bytes) {
        KernelBuilder b = new KernelBuilder("copies_" + bytes, THREADS, 32);
        Reg in = b.buffer("in", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        int each = bytes / 4;
        SharedArray one = b.shared("one", MemoryType.U32, THREADS * each);
        SharedArray two = b.shared("two", MemoryType.U32, THREADS * each);
        Reg at = b.mul(b.thread(), each);
        b.copyAsync(one, at, MemoryType.U32, in, at, bytes);
        b.commitCopies();
        b.copyAsync(two, at, MemoryType.U32, in, b.add(at, b.u32(THREADS * each)), bytes);
        b.commitCopies();
        Reg other = b.mul(b.sub(b.u32(THREADS - 1), b.thread()), each);
        b.awaitCopies(1);
        b.barrier();
        Reg first = b.load(one, other);
        b.awaitCopies(0);
        b.barrier();
        b.store(MemoryType.U32, out, b.thread(), b.add(first, b.load(two, b.add(other, b.u32(each - 1)))));
        return new KernelCase(b.build(), Grid.of(1), List.of(words(Awkward.words(2 * THREADS * each, 1)), room(THREADS, Compared.BITS)));
    }
}
