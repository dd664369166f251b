package poot.core.kernel.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KernelBuilderTest {
    private final KernelBuilder b = new KernelBuilder("k", 64, 32);

    private static DeviceKernel saxpy(float scale) {
        var b = new KernelBuilder("saxpy", 256, 32);
        Reg x = b.buffer("x", Access.READ);
        Reg y = b.buffer("y", Access.READ_WRITE);
        Reg n = b.scalar("n", ScalarType.U32);
        Reg i = b.globalThread();
        b.when(b.lt(i, n), () -> {
            Reg xi = b.load(MemoryType.F16, x, i);
            b.store(MemoryType.F32, y, i, b.fma(b.f32(scale), xi, b.load(MemoryType.F32, y, i)));
        });
        return b.build();
    }

    @Test
    void aKernelReadsAsText() {
        assertEquals("""
                kernel saxpy workgroup 256 subgroup 32
                  param read buffer %0 = x
                  param read_write buffer %1 = y
                  param u32 %2 = n
                  u32 %3 = workgroup_x
                  u32 %4 = thread
                  u32 %5 = literal 256
                  f32 %10 = literal 2.0 (0x40000000)
                  u32 %6 = mul %3, %5
                  u32 %7 = add %6, %4
                  bool %8 = lt %7, %2
                  if %8
                    f32 %9 = load f16 %0[%7]
                    f32 %11 = load f32 %1[%7]
                    f32 %12 = fma %10, %9, %11
                    store f32 %1[%7] = %12
                """, saxpy(2).toString());
    }

    @Test
    void equalSourcesAreEqualKernels() {
        assertEquals(saxpy(2), saxpy(2));
        assertEquals(saxpy(2).hashCode(), saxpy(2).hashCode());
        assertNotEquals(saxpy(2), saxpy(3));
    }

    @Test
    void literalsFold() {
        assertEquals(b.u32(12), b.mul(b.u32(3), 4));
        assertEquals(b.i32(-2), b.div(b.i32(-7), 3));
        assertEquals(b.u32(0x55555553), b.div(b.u32(-7), b.u32(3)));
        assertEquals(b.i32(-1), b.shr(b.i32(-1), 5));
        assertEquals(b.u32(-1 >>> 5), b.shr(b.u32(-1), 5));
        assertEquals(b.u32(1), b.mulHigh(b.u32(-1), b.u32(2)));
        assertEquals(b.i32(-1), b.mulHigh(b.i32(-1), b.i32(2)));
        assertEquals(b.f32(0.75f), b.mul(b.f32(1.5f), 0.5f));
        assertEquals(b.bool(false), b.lt(b.u32(-1), 1));
        assertEquals(b.bool(true), b.lt(b.i32(-1), 1));
        assertEquals(OptionalInt.empty(), b.literal(b.div(b.u32(1), 0)));
    }

    @Test
    void whatChangesNothingVanishes() {
        Reg n = b.scalar("n", ScalarType.U32);
        assertSame(n, b.add(n, 0));
        assertSame(n, b.mul(b.u32(1), n));
        assertSame(n, b.shl(n, 0));
        assertEquals(b.u32(0), b.mul(n, 0));
        assertEquals(b.u32(0), b.rem(n, 1));
        Reg f = b.scalar("f", ScalarType.F32);
        assertNotEquals(f, b.add(f, b.f32(0)), "-0 + 0 is 0");
        assertSame(n, b.select(b.bool(true), n, b.u32(3)));
        assertSame(n, b.either(b.bool(false), () -> b.u32(3), () -> n));
    }

    @Test
    void literalsOfABlockServeEveryBlock() {
        Reg n = b.scalar("n", ScalarType.U32);
        Reg out = b.buffer("out", Access.WRITE);
        b.when(b.eq(n, 7), () -> b.store(MemoryType.U32, out, b.u32(5), b.u32(9)));
        b.store(MemoryType.U32, out, b.u32(6), b.u32(9));
        assertEquals(4, b.build().body().instructions().stream().filter(Instruction.Constant.class::isInstance).count());
    }

    @Test
    void fragmentsNeedTheirCapability() {
        Reg x = b.buffer("x", Access.READ);
        b.loadFragment(new Fragment(Fragment.Use.A, MemoryType.I8), MemoryBuilder.at(MemoryType.I8, x, b.u32(0)), b.u32(16), Layout.ROW_MAJOR);
        assertEquals(Set.of(Capability.MATRIX_I8), b.build().needs());
    }

    @Test
    void mistakesAreRefusedWhereTheyAreMade() {
        Reg x = b.buffer("x", Access.READ);
        Reg f = b.f32(1);
        Reg u = b.u32(1);
        List<Runnable> mistakes = List.of(() -> b.add(f, u), () -> b.rem(f, f), () -> b.sqrt(u), () -> b.toF32(x), () -> b.load(MemoryType.F32, u, u),
                () -> b.load(MemoryType.F32, x, f), () -> b.load(MemoryType.F32, x, u, 3), () -> b.store(MemoryType.F32, x, u, u),
                () -> b.when(u, () -> { }), () -> b.loop(f, f, 1, i -> { }), () -> b.shuffleXor(f, 32), () -> b.fma(f, f, u),
                () -> b.dot4(u, u, u), () -> b.select(u, f, f), () -> b.reduce(ReduceOp.OR, f), () -> b.advance(u, u, 4),
                () -> b.load(new SharedArray("other", MemoryType.F32, 4), u), () -> b.shared("none", MemoryType.F32, 0),
                () -> new Fragment(Fragment.Use.A, MemoryType.F32), () -> b.copyAsync(b.shared("s" , MemoryType.F32, 4), u, MemoryType.F32, x, u, 3));
        for (Runnable m : mistakes) {
            InvalidKernelException e = assertThrows(InvalidKernelException.class, m::run);
            assertTrue(!e.what().isEmpty() && !e.remedy().isEmpty());
        }
    }
}
