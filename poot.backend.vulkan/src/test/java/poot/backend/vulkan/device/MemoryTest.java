package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.AtomicOp;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/** Memory of the device and of the workgroup, every type and width, beside the interpreter. */
class MemoryTest {
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

    /** Words any half of which, and any byte of which, is a finite number of every type, none subnormal in F32. */
    private static int[] content(int words, long seed) {
        return new Random(seed).ints(words, 0, 1 << 30).map(w -> w & 0x3f3f3f3f | 0x20102010).toArray();
    }

    @Test
    void loadsAndStoresOfDeviceMemory() throws ExecutorException {
        for (MemoryType type : MemoryType.values()) {
            for (int lanes : new int[] {1, 2, 4}) {
                var b = kernel("global_" + type + "_" + lanes);
                Reg from = b.buffer("from", Access.READ);
                Reg to = b.buffer("to", Access.READ_WRITE);
                Reg wide = b.buffer("wide", Access.WRITE);
                Reg i = b.mul(b.globalThread(), lanes);
                List<Reg> values = b.load(type, from, i, lanes);
                b.store(type, to, i, values);
                for (int n = 0; n < lanes; n++) {
                    b.store(MemoryType.U32, wide, b.add(i, n), asBits(b, values.get(n)));
                }
                int elements = 2 * THREADS * lanes;
                twin.same(b.build(), Grid.of(2), content(elements * type.bytes() / 4, 1), new int[elements * type.bytes() / 4], new int[elements]);
            }
        }
    }

    private static Reg asBits(KernelBuilder b, Reg value) {
        return value.type() == ScalarType.F32 ? b.bits(value) : b.toU32(value);
    }

    /** Every thread reads what another wrote before a barrier. */
    @Test
    void loadsAndStoresOfSharedMemory() throws ExecutorException {
        for (MemoryType type : MemoryType.values()) {
            for (int lanes : new int[] {1, 2, 4}) {
                var b = kernel("shared_" + type + "_" + lanes);
                Reg from = b.buffer("from", Access.READ);
                Reg to = b.buffer("to", Access.READ_WRITE);
                SharedArray array = b.shared("array", type, THREADS * lanes);
                Reg begin = b.mul(b.workgroupX(), THREADS * lanes);
                Reg mine = b.mul(b.thread(), lanes);
                b.store(array, mine, b.load(type, from, b.add(begin, mine), lanes));
                b.barrier();
                Reg theirs = b.mul(b.xor(b.thread(), THREADS - 1), lanes);
                b.store(type, to, b.add(begin, mine), b.load(array, theirs, lanes));
                int words = 2 * THREADS * lanes * type.bytes() / 4;
                twin.same(b.build(), Grid.of(2), content(words, 2), new int[words]);
            }
        }
    }

    @Test
    void addressesBeyondAnIndex() throws ExecutorException {
        var b = kernel("advance");
        Reg from = b.buffer("from", Access.READ);
        Reg to = b.buffer("to", Access.WRITE);
        Reg i = b.thread();
        Reg row = b.advance(from, i, 12);
        Reg other = b.advance(from, b.sub(b.u32(THREADS - 1), i), 12);
        Reg chosen = b.select(b.eq(b.and(i, 1), 0), row, other);
        b.store(MemoryType.U32, to, i, b.load(MemoryType.U32, chosen, b.u32(2)));
        Reg far = b.advance(b.advance(from, i, 0x1_0000_0001L), i, -0x1_0000_0001L); // 32 bits would not lead back
        b.store(MemoryType.U32, to, b.add(i, THREADS), b.load(MemoryType.U32, far, b.add(i, 1)));
        twin.same(b.build(), Grid.of(1), content(3 * THREADS, 3), new int[2 * THREADS]);
    }

    /** A barrier orders device memory too, of one workgroup. */
    @Test
    void barriersOrderDeviceMemory() throws ExecutorException {
        var b = kernel("global_barrier");
        Reg data = b.buffer("data", Access.READ_WRITE);
        Reg to = b.buffer("to", Access.WRITE);
        Reg begin = b.mul(b.workgroupX(), THREADS);
        b.store(MemoryType.U32, data, b.add(begin, b.thread()), b.mul(b.thread(), 3));
        b.barrier();
        Reg next = b.and(b.add(b.thread(), 1), THREADS - 1);
        b.store(MemoryType.U32, to, b.add(begin, b.thread()), b.load(MemoryType.U32, data, b.add(begin, next)));
        twin.same(b.build(), Grid.of(8), new int[8 * THREADS], new int[8 * THREADS]);
    }

    @Test
    void copiesToSharedMemory() throws ExecutorException {
        for (MemoryType type : List.of(MemoryType.U8, MemoryType.F16, MemoryType.F32)) {
            for (int bytes : new int[] {4, 8, 16}) {
                int each = bytes / type.bytes();
                var b = kernel("copy_" + type + "_" + bytes);
                Reg from = b.buffer("from", Access.READ);
                Reg to = b.buffer("to", Access.READ_WRITE);
                SharedArray array = b.shared("array", type, THREADS * each);
                Reg i = b.mul(b.thread(), each);
                b.copyAsync(array, i, type, from, i, bytes);
                b.commitCopies();
                b.awaitCopies(0);
                b.barrier();
                Reg theirs = b.mul(b.xor(b.thread(), 5), each);
                for (int n = 0; n < each; n++) {
                    b.store(type, to, b.add(i, n), b.load(array, b.add(theirs, n)));
                }
                twin.same(b.build(), Grid.of(1), content(THREADS * bytes / 4, 4), new int[THREADS * bytes / 4]);
            }
        }
    }

    @Test
    void atomics() throws ExecutorException {
        for (AtomicOp op : AtomicOp.values()) {
            var b = kernel("atomic_" + op);
            Reg to = b.buffer("to", Access.READ_WRITE);
            SharedArray array = b.shared("array", MemoryType.U32, 4);
            b.when(b.lt(b.thread(), 4), () -> b.store(array, b.thread(), b.u32(0)));
            b.barrier();
            Reg value = b.shl(b.u32(1), b.and(b.globalThread(), 31));
            b.atomic(op, MemoryBuilder.at(array, b.and(b.thread(), 3)), value);
            b.barrier();
            b.when(b.lt(b.thread(), 4), () -> b.atomic(op, MemoryBuilder.at(MemoryType.U32, to, b.thread()), b.load(array, b.thread())));
            twin.same(b.build(), Grid.of(4), new int[4]);
        }
    }

    @Test
    void scalarsAndManyParameters() throws ExecutorException {
        int buffers = 24; // 192 bytes of addresses: more than lavapipe pushes.
        var b = kernel("many");
        Reg f = b.scalar("f", ScalarType.F32);
        Reg[] all = new Reg[buffers];
        for (int n = 0; n < buffers; n++) {
            all[n] = b.buffer("b" + n, Access.READ_WRITE);
        }
        Reg s = b.scalar("s", ScalarType.I32);
        Reg u = b.scalar("u", ScalarType.U32);
        for (int n = 0; n < buffers; n++) {
            Reg x = b.load(MemoryType.F32, all[n], b.thread());
            b.store(MemoryType.F32, all[n], b.thread(), b.add(b.mul(x, f), b.toF32(b.add(b.toI32(u), b.add(s, n)))));
        }
        int[][] contents = new int[buffers + 3][];
        contents[0] = Twin.words(Float.floatToRawIntBits(1.5f));
        for (int n = 0; n < buffers; n++) {
            contents[n + 1] = content(THREADS, n);
        }
        contents[buffers + 1] = Twin.words(-17);
        contents[buffers + 2] = Twin.words(5);
        twin.same(b.build(), Grid.of(1), contents);
        assertEquals(0, twin.device().messageCount());
    }
}
