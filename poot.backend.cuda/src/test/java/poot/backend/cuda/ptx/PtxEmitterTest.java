package poot.backend.cuda.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.InvalidKernelException;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** Where two texts are right, the better one is written. */
class PtxEmitterTest {
    private static String emit(KernelBuilder b) {
        return PtxEmitter.emit(b.build(), new PtxTarget(80, 7, 0));
    }

    @Test
    void onlyWhatNothingWritesIsReadPastCoherence() {
        KernelBuilder b = new KernelBuilder("k", 32, 32);
        Reg read = b.buffer("read", Access.READ);
        Reg both = b.buffer("both", Access.READ_WRITE);
        Reg i = b.lane();
        Reg sum = b.add(b.load(MemoryType.U32, b.advance(read, i, 64), i), b.load(MemoryType.U32, both, i));
        b.store(MemoryType.U32, both, i, sum);
        String text = emit(b);
        assertTrue(text.contains("ld.global.nc.u32"), text);
        assertTrue(text.contains("ld.global.u32"), text);
    }

    @Test
    void branchesThatAWarpTakesAlikeAreMarked() {
        KernelBuilder b = new KernelBuilder("k", 64, 32);
        Reg out = b.buffer("out", Access.WRITE);
        Reg n = b.scalar("n", ScalarType.U32);
        b.when(b.lt(b.subgroup(), n), () -> b.store(MemoryType.U32, out, b.thread(), n));
        String alike = emit(b);
        assertTrue(alike.contains("bra.uni") && !alike.contains("bra $"), alike);
        KernelBuilder c = new KernelBuilder("k", 64, 32);
        Reg to = c.buffer("out", Access.WRITE);
        Reg m = c.scalar("n", ScalarType.U32);
        c.when(c.lt(c.lane(), m), () -> c.loop(c.u32(0), m, 1, i -> c.store(MemoryType.U32, to, c.mad(i, 64, c.thread()), i)));
        String apart = emit(c);
        assertFalse(apart.contains("bra.uni"), "within a choice that parts the warp nothing is alike: " + apart);
    }

    @Test
    void largeSharedMemoryIsAskedForAtLaunch() {
        DeviceKernel small = shared(48 << 10);
        DeviceKernel large = shared((48 << 10) + 4);
        assertEquals(0, PtxEmitter.launchSharedBytes(small));
        assertEquals((48 << 10) + 16, PtxEmitter.launchSharedBytes(large));
        assertTrue(PtxEmitter.emit(large, new PtxTarget(75, 6, 5)).contains(".extern .shared"));
    }

    private static DeviceKernel shared(int bytes) {
        KernelBuilder b = new KernelBuilder("k", 32, 32);
        b.store(b.shared("s", MemoryType.U32, bytes / 4), b.lane(), b.u32(1));
        return b.build();
    }

    @Test
    void refusesWhatTheTargetLacks() {
        KernelBuilder b = new KernelBuilder("k", 32, 32);
        Reg x = b.fill(new Fragment(Fragment.Use.A, MemoryType.BF16), b.f32(1));
        Reg y = b.fill(new Fragment(Fragment.Use.B, MemoryType.BF16), b.f32(1));
        Reg sum = b.multiply(x, y, b.fill(new Fragment(Fragment.Use.ACCUMULATOR, MemoryType.F32), b.f32(0)));
        b.storeFragment(sum, KernelBuilder.at(MemoryType.F32, b.buffer("out", Access.WRITE), b.u32(0)), b.u32(16), Layout.ROW_MAJOR);
        DeviceKernel k = b.build();
        assertTrue(PtxEmitter.emit(k, new PtxTarget(80, 7, 0)).contains("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"));
        assertThrows(InvalidKernelException.class, () -> PtxEmitter.emit(k, new PtxTarget(75, 6, 5)));
        assertThrows(InvalidKernelException.class, () -> PtxEmitter.emit(new KernelBuilder("k", 32, 16).build(), new PtxTarget(80, 7, 0)));
    }
}
