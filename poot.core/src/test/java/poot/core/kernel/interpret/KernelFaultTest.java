package poot.core.kernel.interpret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static poot.core.kernel.ir.MemoryBuilder.at;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.AtomicOp;
import poot.core.kernel.ir.Block;
import poot.core.kernel.ir.Builtin;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.Conversion;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/** Each fault, provoked. */
class KernelFaultTest {
    /** The fault of a kernel whose buffer {@code x} has 64 written floats, and which may read and write it. */
    private static KernelFault fault(int workgroups, Consumer<Written> body) throws Exception {
        try (var k = new OneLaunch(16, 8, b -> body.accept(new Written(b, b.buffer("x", Access.READ_WRITE))))) {
            k.floats("x", new float[64]);
            return k.fault(workgroups);
        }
    }

    private record Written(KernelBuilder b, Reg x) {}

    @Test
    void outOfBounds() throws Exception {
        var f = assertInstanceOf(KernelFault.OutOfBounds.class, fault(5, k -> k.b.load(MemoryType.F32, k.x, k.b.globalThread())));
        assertEquals(new Where("k", "f32 %6 = load f32 %0[%5]", 4, 0, 0, 0), f.where());
        assertEquals(256, f.offset());
        assertEquals(256, f.size());
        assertTrue(f.message().contains("x (x)"), f.message());
        assertInstanceOf(KernelFault.OutOfBounds.class, fault(1, k -> k.b.load(MemoryType.F32, k.x, k.b.u32(-1))));
        assertInstanceOf(KernelFault.OutOfBounds.class, fault(1, k -> k.b.load(MemoryType.F32, k.b.advance(k.x, k.b.u32(1), -4), k.b.u32(0))));
        assertInstanceOf(KernelFault.OutOfBounds.class, fault(1, k -> k.b.load(MemoryType.F32, k.b.advance(k.x, k.b.u32(-1), 1L << 20), k.b.u32(0))));
        assertNull(fault(1, k -> k.b.load(MemoryType.F32, k.b.advance(k.b.advance(k.x, k.b.u32(-1), 1L << 20), k.b.u32(-1), -(1L << 20)), k.b.u32(63))));
        assertInstanceOf(KernelFault.OutOfBounds.class, fault(1, k -> {
            SharedArray s = k.b.shared("s", MemoryType.F32, 8);
            k.b.store(s, k.b.thread(), k.b.f32(0));
        }));
    }

    @Test
    void misaligned() throws Exception {
        assertInstanceOf(KernelFault.Misaligned.class, fault(1, k -> k.b.load(MemoryType.F32, k.x, k.b.u32(2), 4)));
        assertInstanceOf(KernelFault.Misaligned.class, fault(1, k -> k.b.load(MemoryType.F32, k.b.advance(k.x, k.b.u32(1), 2), k.b.u32(0))));
        assertInstanceOf(KernelFault.Misaligned.class, fault(1, k -> k.b.load(MemoryType.F16, k.x, k.b.u32(1), 2)));
        assertInstanceOf(KernelFault.Misaligned.class, fault(1, k -> {
            Fragment a = new Fragment(Fragment.Use.A, MemoryType.F16);
            k.b.loadFragment(a, at(MemoryType.F16, k.x, k.b.u32(0)), k.b.u32(6), Layout.ROW_MAJOR);
        }));
    }

    @Test
    void uninitialised() throws Exception {
        assertInstanceOf(KernelFault.Uninitialised.class, fault(1, k -> k.b.load(k.b.shared("s", MemoryType.F32, 8), k.b.u32(3))));
        try (var k = new OneLaunch(16, 8, b -> b.load(MemoryType.F32, b.buffer("y", Access.READ), b.u32(3)))) {
            k.buffer("y", 64);
            assertEquals(12, assertInstanceOf(KernelFault.Uninitialised.class, k.fault(1)).offset());
        }
        assertInstanceOf(KernelFault.Uninitialised.class, fault(2, k -> {
            SharedArray s = k.b.shared("s", MemoryType.U32, 1);
            k.b.when(k.b.eq(k.b.globalThread(), 0), () -> k.b.store(s, k.b.u32(0), k.b.u32(0)));
            k.b.barrier();
            k.b.load(s, k.b.u32(0));
        }), "nothing stays in shared memory from workgroup to workgroup");
        assertInstanceOf(KernelFault.Uninitialised.class, fault(1, k -> {
            SharedArray s = k.b.shared("s", MemoryType.F32, 64);
            k.b.copyAsync(s, k.b.mul(k.b.thread(), 4), MemoryType.F32, k.x, k.b.mul(k.b.thread(), 4), 16);
            k.b.commitCopies();
            k.b.awaitCopies(1);
            k.b.barrier();
            k.b.load(s, k.b.thread());
        }), "a copy that was not awaited");
    }

    @Test
    void racesInAWorkgroup() throws Exception {
        assertInstanceOf(KernelFault.Race.class, fault(1, k -> k.b.store(MemoryType.F32, k.x, k.b.u32(0), k.b.f32(1))));
        assertInstanceOf(KernelFault.Race.class, fault(1, k -> {
            SharedArray s = k.b.shared("s", MemoryType.F32, 16);
            k.b.store(s, k.b.thread(), k.b.f32(1));
            k.b.load(s, k.b.xor(k.b.thread(), 8));
        }), "no barrier between a write and a read");
        assertInstanceOf(KernelFault.Race.class, fault(1, k -> {
            SharedArray s = k.b.shared("s", MemoryType.F32, 16);
            k.b.store(s, k.b.thread(), k.b.f32(1));
            k.b.barrier();
            k.b.load(s, k.b.u32(3));
            k.b.store(s, k.b.thread(), k.b.f32(2));
        }), "no barrier between a read and a write");
        assertInstanceOf(KernelFault.Race.class, fault(1, k -> {
            SharedArray s = k.b.shared("s", MemoryType.U32, 1);
            k.b.when(k.b.eq(k.b.thread(), 0), () -> k.b.store(s, k.b.u32(0), k.b.u32(0)));
            k.b.atomic(AtomicOp.ADD, at(s, k.b.u32(0)), k.b.u32(1));
        }), "an atomic beside a plain write");
        assertInstanceOf(KernelFault.Race.class, fault(1, k -> {
            SharedArray s = k.b.shared("s", MemoryType.F32, 64);
            k.b.copyAsync(s, k.b.mul(k.b.thread(), 4), MemoryType.F32, k.x, k.b.mul(k.b.thread(), 4), 16);
            k.b.commitCopies();
            k.b.awaitCopies(0);
            k.b.load(s, k.b.thread());
        }), "another thread's copy, awaited without a barrier");
        assertNull(fault(1, k -> {
            SharedArray s = k.b.shared("s", MemoryType.F32, 16);
            k.b.store(s, k.b.thread(), k.b.f32(1));
            k.b.load(s, k.b.thread());
            k.b.barrier();
            k.b.load(s, k.b.xor(k.b.thread(), 8));
            k.b.barrier();
            k.b.store(s, k.b.thread(), k.b.f32(2));
        }));
    }

    @Test
    void racesBetweenWorkgroups() throws Exception {
        var f = assertInstanceOf(KernelFault.Race.class, fault(2, k -> k.b.store(MemoryType.F32, k.x, k.b.thread(), k.b.f32(1))));
        assertEquals(1, f.where().x());
        assertTrue(f.other().contains("another workgroup"), f.other());
        assertInstanceOf(KernelFault.Race.class, fault(2, k -> {
            k.b.load(MemoryType.F32, k.x, k.b.add(k.b.thread(), 16));
            k.b.store(MemoryType.F32, k.x, k.b.globalThread(), k.b.f32(1));
        }));
        assertInstanceOf(KernelFault.Race.class, fault(2, k -> {
            k.b.atomic(AtomicOp.ADD, at(MemoryType.U32, k.x, k.b.u32(0)), k.b.u32(1));
            k.b.barrier();
            k.b.load(MemoryType.U32, k.x, k.b.u32(0));
        }), "another workgroup's atomic");
        assertNull(fault(4, k -> k.b.store(MemoryType.F32, k.x, k.b.globalThread(), k.b.f32(1))));
        assertNull(fault(4, k -> k.b.store(MemoryType.U8, k.x, k.b.globalThread(), k.b.u32(1))), "neighbouring bytes are apart");
    }

    @Test
    void undefinedResults() throws Exception {
        var f = assertInstanceOf(KernelFault.Undefined.class, fault(1, k -> k.b.div(k.b.u32(7), k.b.sub(k.b.thread(), 3))));
        assertEquals(3, f.where().thread());
        assertInstanceOf(KernelFault.Undefined.class, fault(1, k -> k.b.shl(k.b.u32(7), k.b.mul(k.b.thread(), 4))));
        assertInstanceOf(KernelFault.Undefined.class, fault(1, k -> k.b.shuffle(k.b.thread(), k.b.thread())));
        assertInstanceOf(KernelFault.Undefined.class, fault(1, k -> k.b.loop(k.b.u32(0), k.b.u32(4), k.b.sub(k.b.workgroupX(), 0), List.of(),
                (i, none) -> List.of())));
        assertInstanceOf(KernelFault.Undefined.class, fault(1, k -> k.b.loop(k.b.u32(-8), k.b.u32(-1), 5, i -> { })));
    }

    @Test
    void loopsThatDoNotEnd() throws Exception {
        assertInstanceOf(KernelFault.Runaway.class, fault(1, k -> k.b.loopWhile(List.of(), none -> k.b.bool(true), none -> none)));
    }

    /** What the validator refuses, the interpreter refuses too: run without it. */
    @Test
    void divergence() throws Exception {
        assertEquals(3, assertInstanceOf(KernelFault.Divergent.class, behind(new Instruction.Barrier())).active());
        Reg r = new Reg(4, ScalarType.U32);
        Reg t = new Reg(0, ScalarType.U32);
        var f = assertInstanceOf(KernelFault.Divergent.class, behind(new Instruction.SubgroupReduce(r, ReduceOp.ADD, t)));
        assertEquals(8, f.expected());
        assertInstanceOf(KernelFault.Divergent.class, behind(new Instruction.ShuffleXor(r, t, 1)));
        assertInstanceOf(KernelFault.Divergent.class, behind(new Instruction.Shuffle(r, t, t)));
        assertInstanceOf(KernelFault.Divergent.class, behind(new Instruction.Broadcast(r, t)));
        assertInstanceOf(KernelFault.Divergent.class, behind(new Instruction.CommitCopies()));
        assertInstanceOf(KernelFault.NotUniform.class, run(new Instruction.FragmentFill(new Reg(4, new Fragment(Fragment.Use.A, MemoryType.I8)),
                new Reg(5, ScalarType.I32))));
    }

    private static KernelFault behind(Instruction i) {
        Reg t = new Reg(0, ScalarType.U32);
        Reg three = new Reg(1, ScalarType.U32);
        Reg below = new Reg(2, ScalarType.BOOL);
        Block empty = new Block(List.of(), List.of());
        return run(new Instruction.Constant(three, 3), new Instruction.Compare(below, Comparison.LT, t, three),
                new Instruction.If(List.of(), below, new Block(List.of(i), List.of()), empty));
    }

    private static KernelFault run(Instruction... body) {
        Reg t = new Reg(0, ScalarType.U32);
        var all = new ArrayList<Instruction>();
        all.add(new Instruction.ReadBuiltin(t, Builtin.THREAD));
        all.add(new Instruction.Convert(new Reg(5, ScalarType.I32), Conversion.U32_TO_I32, t));
        all.addAll(List.of(body));
        var kernel = new DeviceKernel("k", List.of(), List.of(), 16, 8, Set.of(), new Block(all, List.of()));
        try {
            Interpreter.run(kernel, List.of(), Grid.of(1), new Phases());
            return null;
        } catch (KernelFaultException e) {
            return e.fault();
        }
    }
}
