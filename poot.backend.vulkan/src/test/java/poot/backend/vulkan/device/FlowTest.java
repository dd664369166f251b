package poot.backend.vulkan.device;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** Flow, lanes and a thread's place, beside the interpreter. */
class FlowTest {
    private static final int THREADS = 64;
    private static Twin twin;

    @BeforeAll
    static void open() throws ExecutorException {
        twin = new Twin(Opened.device());
    }

    @AfterAll
    static void close() {
        if (twin != null) {
            twin.close();
        }
    }

    private static KernelBuilder kernel(String name) {
        return new KernelBuilder(name, THREADS, twin.subgroup());
    }

    private static int[] content(int words, long seed) {
        return new Random(seed).ints(words).toArray();
    }

    /** Loops in branches in loops, each handing values on. */
    @Test
    void nested() throws ExecutorException {
        var b = kernel("nested");
        Reg from = b.buffer("from", Access.READ);
        Reg to = b.buffer("to", Access.WRITE);
        Reg x = b.load(MemoryType.U32, from, b.globalThread());
        List<Reg> out = b.loop(b.u32(0), b.and(x, 15), 3, List.of(x, b.u32(1)), (i, c) -> {
            Reg odd = b.ne(b.and(b.xor(c.get(0), i), 1), 0);
            return b.choose(odd, () -> {
                Reg inner = b.loop(b.i32(-5), b.toI32(b.and(c.get(0), 7)), 2, c.get(1), (j, s) -> b.add(b.mul(s, 5), b.toU32(j)));
                return List.of(inner, c.get(0));
            }, () -> {
                Reg half = b.loopWhile(c.get(0), v -> b.gt(v, b.u32(1000)), v -> b.either(b.eq(b.and(v, 1), 0), () -> b.shr(v, 1), () -> b.shr(v, 3)));
                return List.of(b.add(half, i), b.xor(c.get(1), half));
            });
        });
        b.store(MemoryType.U32, to, b.mul(b.globalThread(), 2), out);
        twin.same(b.build(), Grid.of(4), content(4 * THREADS, 1), new int[8 * THREADS]);
    }

    @Test
    void loopsThatNeverRun() throws ExecutorException {
        var b = kernel("never");
        Reg to = b.buffer("to", Access.WRITE);
        Reg a = b.loop(b.u32(9), b.u32(9), 1, b.u32(7), (i, s) -> b.add(s, i));
        Reg c = b.loop(b.i32(3), b.i32(-3), 1, b.u32(8), (i, s) -> b.add(s, b.toU32(i)));
        Reg d = b.loopWhile(b.u32(3), v -> b.lt(v, 3), v -> b.add(v, 1));
        b.store(MemoryType.U32, to, b.mul(b.thread(), 4), a, c, d, b.u32(1));
        twin.same(b.build(), Grid.of(1), new int[4 * THREADS]);
    }

    /** An address, a condition and a real that loops carry. */
    @Test
    void carriesEveryType() throws ExecutorException {
        var b = kernel("carry");
        Reg from = b.buffer("from", Access.READ);
        Reg to = b.buffer("to", Access.WRITE);
        List<Reg> out = b.loop(b.u32(0), b.u32(5), 1, List.of(from, b.bool(false), b.f32(1)), (i, c) -> {
            Reg word = b.load(MemoryType.U32, c.get(0), b.thread());
            Reg odd = b.ne(b.and(word, 1), 0);
            Reg next = b.either(odd, () -> b.advance(c.get(0), b.u32(1), 4), () -> c.get(0));
            return List.of(next, b.xor(c.get(1), odd), b.add(c.get(2), b.toF32(b.and(word, 0xff))));
        });
        Reg i = b.mul(b.thread(), 2);
        b.store(MemoryType.F32, to, i, out.get(2));
        b.store(MemoryType.U32, to, b.add(i, 1), b.add(b.load(MemoryType.U32, out.get(0), b.u32(0)), b.toU32(out.get(1))));
        twin.same(b.build(), Grid.of(1), content(THREADS + 5, 2), new int[2 * THREADS]);
    }

    @Test
    void places() throws ExecutorException {
        var b = kernel("places");
        Reg to = b.buffer("to", Access.WRITE);
        Reg group = b.mad(b.mad(b.workgroupZ(), b.gridY(), b.workgroupY()), b.gridX(), b.workgroupX());
        Reg i = b.mul(b.mad(group, THREADS, b.thread()), 4);
        Reg grid = b.mad(b.gridZ(), 10000, b.mad(b.gridY(), 100, b.gridX()));
        b.store(MemoryType.U32, to, i, b.lane(), b.subgroup(), b.thread(), b.mad(grid, 1000, group));
        twin.same(b.build(), Grid.of(3, 2), new int[4 * 6 * THREADS]);
        var plain = kernel("plain");
        Reg out = plain.buffer("to", Access.WRITE);
        plain.store(MemoryType.U32, out, plain.globalThread(), plain.thread());
        twin.same(plain.build(), new Grid(2, 1, 1), new int[2 * THREADS]);
    }

    @Test
    void reductions() throws ExecutorException {
        for (ReduceOp op : ReduceOp.values()) {
            for (ScalarType type : List.of(ScalarType.I32, ScalarType.U32, ScalarType.F32)) {
                if (op.takes(type)) {
                    var b = kernel("reduce_" + op + "_" + type);
                    Reg from = b.buffer("from", Access.READ);
                    Reg to = b.buffer("to", Access.WRITE);
                    Reg word = b.load(MemoryType.U32, from, b.thread());
                    Reg value = switch (type) {
                        case F32 -> b.toF32(b.toI32(b.and(word, 0xffff))); // Sums of these are exact in any order.
                        case I32 -> b.toI32(word);
                        default -> word;
                    };
                    Reg r = b.reduce(op, value);
                    b.store(MemoryType.U32, to, b.thread(), type == ScalarType.F32 ? b.bits(r) : b.toU32(r));
                    twin.same(b.build(), Grid.of(1), content(THREADS, 3), new int[THREADS]);
                }
            }
        }
    }

    @Test
    void exchanges() throws ExecutorException {
        var b = kernel("exchange");
        Reg from = b.buffer("from", Access.READ);
        Reg to = b.buffer("to", Access.WRITE);
        Reg word = b.load(MemoryType.U32, from, b.thread());
        Reg last = b.u32(twin.subgroup() - 1);
        Reg turned = b.shuffle(word, b.sub(last, b.lane()));
        Reg crossed = b.shuffleXor(b.toI32(word), 1);
        Reg far = b.shuffleXor(b.toF32(b.and(word, 0xffff)), twin.subgroup() / 2);
        b.store(MemoryType.U32, to, b.mul(b.thread(), 4), turned, b.toU32(crossed), b.bits(far), b.broadcast(word));
        twin.same(b.build(), Grid.of(1), content(THREADS, 4), new int[4 * THREADS]);
    }

    /** Whole subgroups of a workgroup go different ways, and join their lanes there. */
    @Test
    void reductionsInFlowUniformInTheSubgroup() throws ExecutorException {
        var b = kernel("uniform");
        Reg from = b.buffer("from", Access.READ);
        Reg to = b.buffer("to", Access.WRITE);
        Reg word = b.load(MemoryType.U32, from, b.thread());
        Reg out = b.either(b.eq(b.and(b.subgroup(), 1), 0),
                () -> b.loop(b.u32(0), b.subgroup(), 1, b.u32(0), (i, s) -> b.add(s, b.reduce(ReduceOp.MAX, b.xor(word, i)))),
                () -> b.reduce(ReduceOp.ADD, word));
        b.store(MemoryType.U32, to, b.thread(), out);
        twin.same(b.build(), Grid.of(1), content(THREADS, 5), new int[THREADS]);
    }
}
