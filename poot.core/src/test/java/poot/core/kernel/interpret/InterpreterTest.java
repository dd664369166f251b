package poot.core.kernel.interpret;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static poot.core.kernel.ir.MemoryBuilder.at;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.AtomicOp;
import poot.core.kernel.ir.Conversion;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

class InterpreterTest {
    /** Runs {@code f} on each of some values, one a thread. */
    private static int[] each(ScalarType type, Function<KernelBuilder, Function<Reg, Reg>> f, int... values) throws Exception {
        MemoryType in = type == ScalarType.F32 ? MemoryType.F32 : type == ScalarType.I32 ? MemoryType.I32 : MemoryType.U32;
        try (var k = new OneLaunch(8, 8, b -> {
            Reg x = b.buffer("x", Access.READ);
            Reg y = b.buffer("y", Access.WRITE);
            Reg n = b.scalar("n", ScalarType.U32);
            Reg i = b.globalThread();
            b.when(b.lt(i, n), () -> {
                Reg out = f.apply(b).apply(b.load(in, x, i));
                Reg bits = out.type() == ScalarType.F32 ? b.bits(out) : b.toU32(out);
                b.store(MemoryType.U32, y, i, bits);
            });
        })) {
            k.ints("x", values);
            DeviceBuffer y = k.buffer("y", 4L * values.length);
            k.u32(values.length);
            k.run((values.length + 7) / 8);
            return k.ints(y);
        }
    }

    private static int[] bits(float... values) {
        return IntStream.range(0, values.length).map(i -> Float.floatToRawIntBits(values[i])).toArray();
    }

    @Test
    void saxpyStopsAtItsBound() throws Exception {
        try (var k = new OneLaunch(32, 8, b -> {
            Reg x = b.buffer("x", Access.READ);
            Reg y = b.buffer("y", Access.READ_WRITE);
            Reg a = b.scalar("a", ScalarType.F32);
            Reg n = b.scalar("n", ScalarType.U32);
            Reg i = b.globalThread();
            b.when(b.lt(i, n), () -> b.store(MemoryType.F32, y, i, b.fma(a, b.load(MemoryType.F32, x, i), b.load(MemoryType.F32, y, i))));
        })) {
            float[] x = new float[77];
            float[] y = new float[77];
            float[] expected = new float[77];
            for (int i = 0; i < 77; i++) {
                x[i] = i;
                y[i] = 1000 - i;
                expected[i] = 2 * x[i] + y[i];
            }
            k.floats("x", x);
            DeviceBuffer out = k.floats("y", y);
            k.f32(2).u32(77).run(3);
            assertArrayEquals(expected, k.floats(out));
        }
    }

    @Test
    void rowsAreSummedByAWorkgroup() throws Exception {
        try (var k = new OneLaunch(32, 8, b -> {
            Reg x = b.buffer("x", Access.READ);
            Reg sums = b.buffer("sums", Access.WRITE);
            Reg width = b.scalar("width", ScalarType.U32);
            SharedArray partial = b.shared("partial", MemoryType.F32, b.subgroups());
            Reg begin = b.mul(b.workgroupX(), width);
            Reg mine = b.loop(b.thread(), width, b.workgroupSize(), b.f32(0), (i, sum) -> b.add(sum, b.load(MemoryType.F32, x, b.add(begin, i))));
            Reg joined = b.reduce(ReduceOp.ADD, mine);
            b.when(b.eq(b.lane(), 0), () -> b.store(partial, b.subgroup(), joined));
            b.barrier();
            b.when(b.eq(b.subgroup(), 0), () -> {
                Reg part = b.either(b.lt(b.lane(), b.u32(b.subgroups())), () -> b.load(partial, b.lane()), () -> b.f32(0));
                Reg total = b.reduce(ReduceOp.ADD, part);
                b.when(b.eq(b.lane(), 0), () -> b.store(MemoryType.F32, sums, b.workgroupX(), total));
            });
        })) {
            float[] x = new float[3 * 50];
            float[] expected = new float[3];
            for (int i = 0; i < x.length; i++) {
                x[i] = i % 17;
                expected[i / 50] += x[i];
            }
            k.floats("x", x);
            DeviceBuffer sums = k.buffer("sums", 12);
            k.u32(50).run(3);
            assertArrayEquals(expected, k.floats(sums));
        }
    }

    @Test
    void integersWrapAndKeepTheirSign() throws Exception {
        assertArrayEquals(new int[] {-2, 1}, each(ScalarType.I32, b -> x -> b.shr(x, 1), -3, 2));
        assertArrayEquals(new int[] {0x7ffffffe, 1}, each(ScalarType.U32, b -> x -> b.shr(x, 1), -3, 2));
        assertArrayEquals(new int[] {-1, 0}, each(ScalarType.I32, b -> x -> b.mulHigh(x, b.i32(5)), -3, 2));
        assertArrayEquals(new int[] {4, 0}, each(ScalarType.U32, b -> x -> b.mulHigh(x, b.u32(5)), -3, 2));
        assertArrayEquals(new int[] {-1, 2}, each(ScalarType.I32, b -> x -> b.rem(x, 3), -4, 2));
        assertArrayEquals(new int[] {1, 0}, each(ScalarType.U32, b -> x -> b.toU32(b.gt(x, b.u32(9))), -4, 2));
        assertArrayEquals(new int[] {4 - 3 * 2 - 128 * 5 + 10, 10}, each(ScalarType.U32, b -> x -> b.dot4(x, b.u32(0x05020301), b.i32(10)), 0x80fd0004, 0));
    }

    @Test
    void realsFollowTheirRules() throws Exception {
        float nan = Float.NaN;
        assertArrayEquals(bits(-2, 1, -0f), each(ScalarType.F32, b -> b::floor, bits(-1.5f, 1.5f, -0f)));
        assertArrayEquals(bits(2, 2, -2), each(ScalarType.F32, b -> b::roundEven, bits(1.5f, 2.5f, -1.5f)));
        assertArrayEquals(bits(1, 3, 1), each(ScalarType.F32, b -> x -> b.max(x, b.f32(1)), bits(nan, 3, 0)));
        assertArrayEquals(new int[] {0, 1, 0}, each(ScalarType.F32, b -> x -> b.toU32(b.le(x, b.f32(1))), bits(nan, 1, 2)));
        assertArrayEquals(new int[] {0, Integer.MAX_VALUE, -3}, each(ScalarType.F32, b -> b::toI32, bits(nan, 1e20f, -3.9f)));
        assertArrayEquals(new int[] {0, -1, 0, -256}, each(ScalarType.F32, b -> b::toU32, bits(nan, 1e20f, -3.9f, 4294967040f)));
        assertArrayEquals(bits(4294967296f, 1), each(ScalarType.U32, b -> b::toF32, -1, 1));
        assertArrayEquals(bits(8, 0.25f), each(ScalarType.F32, b -> b::exp2, bits(3, -2)));
        assertArrayEquals(new int[] {0x3c00, 0x7c00, 0xbc01}, each(ScalarType.F32, b -> x -> b.convert(Conversion.F32_TO_F16_BITS, x),
                bits(1, 1e6f, -1.001f)));
        assertArrayEquals(new int[] {0x3f80, 0x3f82, 0x7fc0}, each(ScalarType.F32, b -> x -> b.convert(Conversion.F32_TO_BF16_BITS, x),
                new int[] {0x3f808000, 0x3f818000, 0x7fc00000}));
        assertArrayEquals(bits(1, -2), each(ScalarType.U32, b -> b::fromBf16Bits, 0x3f80, 0x7777c000));
    }

    @Test
    void memoryTypesConvert() throws Exception {
        try (var k = new OneLaunch(8, 8, b -> {
            Reg x = b.buffer("x", Access.READ);
            Reg y = b.buffer("y", Access.WRITE);
            b.when(b.eq(b.thread(), 0), () -> {
                b.store(MemoryType.U32, y, b.u32(0), b.load(MemoryType.U8, x, b.u32(3)));
                b.store(MemoryType.I32, y, b.u32(1), b.load(MemoryType.I8, x, b.u32(3)));
                b.store(MemoryType.I32, y, b.u32(2), b.load(MemoryType.I16, x, b.u32(1)));
                b.store(MemoryType.F32, y, b.u32(3), b.load(MemoryType.F16, x, b.u32(2)));
                b.store(MemoryType.F32, y, b.u32(4), b.load(MemoryType.BF16, x, b.u32(3)));
                List<Reg> four = b.load(MemoryType.U8, b.advance(x, b.u32(1), 4), b.u32(0), 4);
                b.store(MemoryType.U8, y, b.u32(20), four.reversed());
                b.store(MemoryType.F16, y, b.u32(12), b.f32(1.5f), b.f32(65520));
            });
        })) {
            k.ints("x", 0x80ff1234, 0x40003c00);
            DeviceBuffer y = k.buffer("y", 28);
            k.run(1);
            assertArrayEquals(new int[] {0x80, -128, 0xffff80ff, 0x3f800000, 0x40000000, 0x003c0040, 0x7c003e00}, k.ints(y));
        }
    }

    @Test
    void loopsCarryAndSwap() throws Exception {
        assertArrayEquals(new int[] {0, 1, 1, 2, 3, 5, 8, 13, 21}, each(ScalarType.U32, b -> n ->
                b.loop(b.u32(0), n, 1, List.of(b.u32(0), b.u32(1)), (i, x) -> List.of(x.get(1), b.add(x.get(0), x.get(1)))).getFirst(),
                0, 1, 2, 3, 4, 5, 6, 7, 8));
        assertArrayEquals(new int[] {7, 8, 111}, each(ScalarType.U32, b -> n -> {
            List<Reg> x = b.loopWhile(List.of(n, b.u32(0)), c -> b.ne(c.get(0), 1), c -> List.of(
                    b.either(b.eq(b.and(c.get(0), 1), 0), () -> b.shr(c.get(0), 1), () -> b.mad(c.get(0), 3, b.u32(1))), b.add(c.get(1), 1)));
            return x.get(1);
        }, 3, 6, 27));
        assertArrayEquals(new int[] {-8}, each(ScalarType.I32, b -> n -> b.loop(n, b.i32(3), 2, b.i32(0), (i, sum) -> b.add(sum, i)), -5));
    }

    @Test
    void lanesExchange() throws Exception {
        try (var k = new OneLaunch(16, 8, b -> {
            Reg y = b.buffer("y", Access.WRITE);
            Reg t = b.thread();
            Reg at = b.mul(t, 4);
            b.store(MemoryType.U32, y, at, b.shuffleXor(t, 3), b.shuffle(t, b.and(b.add(b.lane(), 1), 7)), b.broadcast(t), b.reduce(ReduceOp.MAX, t));
        })) {
            DeviceBuffer y = k.buffer("y", 16 * 16);
            k.run(1);
            int[] out = k.ints(y);
            for (int t = 0; t < 16; t++) {
                int first = t & 8;
                assertArrayEquals(new int[] {t ^ 3, first + (t + 1 & 7), first, first + 7}, Arrays.copyOfRange(out, 4 * t, 4 * t + 4));
            }
        }
    }

    @Test
    void atomicsAddUp() throws Exception {
        try (var k = new OneLaunch(16, 8, b -> {
            Reg y = b.buffer("y", Access.READ_WRITE);
            b.atomic(AtomicOp.ADD, at(MemoryType.U32, y, b.u32(0)), b.u32(1));
            b.atomic(AtomicOp.MAX, at(MemoryType.U32, y, b.u32(1)), b.globalThread());
            b.atomic(AtomicOp.OR, at(MemoryType.U32, y, b.u32(2)), b.shl(b.u32(1), b.thread()));
        })) {
            DeviceBuffer y = k.ints("y", 5, 0, 0);
            k.run(3);
            assertArrayEquals(new int[] {53, 47, 0xffff}, k.ints(y));
        }
    }

    @Test
    void fragmentsMultiply() throws Exception {
        for (Layout layout : Layout.values()) {
            try (var k = new OneLaunch(8, 8, b -> {
                Reg x = b.buffer("x", Access.READ);
                Reg y = b.buffer("y", Access.WRITE);
                SharedArray right = b.shared("right", MemoryType.F16, 256);
                b.loop(b.thread(), b.u32(256), 8, i -> b.store(right, i, b.toF32(b.rem(i, 5))));
                b.barrier();
                Reg a = b.loadFragment(new Fragment(Fragment.Use.A, MemoryType.F16), at(MemoryType.F16, x, b.u32(0)), b.u32(16), Layout.ROW_MAJOR);
                Reg w = b.loadFragment(new Fragment(Fragment.Use.B, MemoryType.F16), at(right, b.u32(0)), b.u32(16), layout);
                Reg zero = b.fill(new Fragment(Fragment.Use.ACCUMULATOR, MemoryType.F32), b.f32(0.5f));
                Reg twice = b.loop(b.u32(0), b.u32(2), 1, zero, (i, c) -> b.multiply(a, w, c));
                b.storeFragment(twice, at(MemoryType.F32, y, b.u32(0)), b.u32(16), layout);
            })) {
                int[] x = new int[128];
                for (int i = 0; i < 128; i++) {
                    x[i] = half(2 * i) | half(2 * i + 1) << 16;
                }
                k.ints("x", x);
                DeviceBuffer y = k.buffer("y", 1024);
                k.run(1);
                float[] out = k.floats(y);
                for (int at = 0; at < 256; at++) {
                    int r = layout == Layout.ROW_MAJOR ? at / 16 : at % 16;
                    int c = layout == Layout.ROW_MAJOR ? at % 16 : at / 16;
                    float sum = 0;
                    for (int j = 0; j < 16; j++) {
                        sum += (r * 16 + j) % 7 * ((layout == Layout.ROW_MAJOR ? j * 16 + c : c * 16 + j) % 5);
                    }
                    assertEquals(2 * sum + 0.5f, out[at]);
                }
            }
        }
    }

    private static int half(int i) {
        return Float.floatToFloat16(i % 7) & 0xffff;
    }

    @Test
    void bytesMultiplyExactly() throws Exception {
        try (var k = new OneLaunch(8, 8, b -> {
            Reg x = b.buffer("x", Access.READ);
            Reg y = b.buffer("y", Access.WRITE);
            Reg a = b.loadFragment(new Fragment(Fragment.Use.A, MemoryType.I8), at(MemoryType.I8, x, b.u32(0)), b.u32(16), Layout.ROW_MAJOR);
            Reg same = b.loadFragment(new Fragment(Fragment.Use.B, MemoryType.I8), at(MemoryType.I8, x, b.u32(0)), b.u32(16), Layout.COLUMN_MAJOR);
            Reg c = b.multiply(a, same, b.fill(new Fragment(Fragment.Use.ACCUMULATOR, MemoryType.I32), b.i32(1 << 24)));
            b.storeFragment(c, at(MemoryType.I32, y, b.u32(0)), b.u32(16), Layout.ROW_MAJOR);
        })) {
            int[] x = new int[64];
            Arrays.fill(x, 0x80808080);
            k.ints("x", x);
            DeviceBuffer y = k.buffer("y", 1024);
            k.run(1);
            int[] expected = new int[256];
            Arrays.fill(expected, (1 << 24) + 16 * 128 * 128);
            assertArrayEquals(expected, k.ints(y));
        }
    }

    @Test
    void addressesAreChosenAndCarried() throws Exception {
        try (var k = new OneLaunch(8, 8, b -> {
            Reg x = b.buffer("x", Access.READ);
            Reg other = b.buffer("other", Access.READ);
            Reg y = b.buffer("y", Access.WRITE);
            Reg from = b.select(b.lt(b.thread(), 4), x, other);
            List<Reg> out = b.loop(b.u32(0), b.u32(3), 1, List.of(from, b.u32(0)), (i, c) ->
                    List.of(b.advance(c.get(0), b.u32(1), 4), b.add(c.get(1), b.load(MemoryType.U32, c.get(0), b.u32(0)))));
            b.store(MemoryType.U32, y, b.thread(), b.add(out.get(1), b.load(MemoryType.U32, out.get(0), b.u32(0))));
        })) {
            k.ints("x", 1, 2, 3, 4);
            k.ints("other", 10, 20, 30, 40);
            DeviceBuffer y = k.buffer("y", 32);
            k.run(1);
            assertArrayEquals(new int[] {10, 10, 10, 10, 100, 100, 100, 100}, k.ints(y));
        }
    }

    @Test
    void copiesArriveWhenAwaited() throws Exception {
        try (var k = new OneLaunch(8, 8, b -> {
            Reg x = b.buffer("x", Access.READ);
            Reg y = b.buffer("y", Access.WRITE);
            SharedArray stage = b.shared("stage", MemoryType.F32, 64);
            for (int s = 0; s < 2; s++) {
                b.copyAsync(stage, b.mad(b.thread(), 4, b.u32(32 * s)), MemoryType.F32, x, b.mad(b.thread(), 4, b.u32(32 * s)), 16);
                b.commitCopies();
            }
            for (int s = 0; s < 2; s++) {
                b.awaitCopies(1 - s);
                b.barrier();
                Reg from = b.sub(b.u32(32 * s + 28), b.mul(b.thread(), 4));
                b.store(MemoryType.F32, y, b.mad(b.thread(), 4, b.u32(32 * s)), b.load(stage, from, 4));
            }
        })) {
            float[] x = new float[64];
            for (int i = 0; i < 64; i++) {
                x[i] = i;
            }
            k.floats("x", x);
            DeviceBuffer y = k.buffer("y", 256);
            k.run(1);
            float[] out = k.floats(y);
            for (int i = 0; i < 64; i++) {
                assertEquals(i / 32 * 32 + 28 - i % 32 / 4 * 4 + i % 4, out[i]);
            }
        }
    }
}
