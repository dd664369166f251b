package poot.core.kernel.ir;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class KernelValidatorTest {
    private static final Reg U0 = new Reg(0, ScalarType.U32);
    private static final Reg U1 = new Reg(1, ScalarType.U32);
    private static final Reg F2 = new Reg(2, ScalarType.F32);
    private static final Reg B3 = new Reg(3, ScalarType.BOOL);

    private static DeviceKernel kernel(Instruction... body) {
        return new DeviceKernel("k", List.of(), List.of(), 64, 32, Set.of(), new Block(List.of(body), List.of()));
    }

    private static void refused(String what, DeviceKernel k) {
        InvalidKernelException e = assertThrows(InvalidKernelException.class, () -> KernelValidator.validate(k));
        assertTrue(e.getMessage().contains(what), e.getMessage());
    }

    private static void refused(String what, Consumer<KernelBuilder> body) {
        KernelBuilder b = new KernelBuilder("k", 64, 32);
        body.accept(b);
        InvalidKernelException e = assertThrows(InvalidKernelException.class, b::build);
        assertTrue(e.getMessage().contains(what), e.getMessage());
    }

    private static void accepted(Consumer<KernelBuilder> body) {
        KernelBuilder b = new KernelBuilder("k", 64, 32);
        body.accept(b);
        b.build();
    }

    @Test
    void aRegisterIsAssignedOnceAndBeforeItIsRead() {
        refused("assigned twice", kernel(new Instruction.Constant(U0, 1), new Instruction.Constant(U0, 2)));
        refused("%0 is not assigned here", kernel(new Instruction.Unary(U1, UnaryOp.NEG, U0)));
        refused("not a register", kernel(new Instruction.Constant(new Reg(-1, ScalarType.U32), 1)));
    }

    @Test
    void aBlocksRegistersStayInIt() {
        refused("not assigned here", (KernelBuilder b) -> {
            List<Reg> kept = new ArrayList<>();
            Reg n = b.scalar("n", ScalarType.U32);
            b.when(b.eq(n, 3), () -> kept.add(b.add(n, 1)));
            b.add(kept.getFirst(), 1);
        });
        refused("not assigned here", (KernelBuilder b) -> {
            List<Reg> kept = new ArrayList<>();
            b.loop(b.u32(0), b.u32(4), 1, i -> kept.add(i));
            b.add(kept.getFirst(), 1);
        });
    }

    @Test
    void typesHold() {
        refused("types", kernel(new Instruction.Constant(U0, 1), new Instruction.Unary(F2, UnaryOp.NEG, U0)));
        refused("types", kernel(new Instruction.Constant(B3, 7)));
        refused("types", kernel(new Instruction.Constant(F2, 0), new Instruction.If(List.of(), F2, new Block(List.of(), List.of()),
                new Block(List.of(), List.of()))));
        refused("as many registers", kernel(new Instruction.Constant(B3, 1), new Instruction.If(List.of(U0), B3, new Block(List.of(), List.of()),
                new Block(List.of(), List.of()))));
        refused("as many registers", kernel(new Instruction.Constant(U0, 1), new Instruction.For(List.of(F2), U1, U0, U0, U0, List.of(),
                List.of(), new Block(List.of(), List.of()))));
        refused("one bool", kernel(new Instruction.While(List.of(), List.of(), List.of(), new Block(List.of(), List.of()),
                new Block(List.of(), List.of()))));
    }

    @Test
    void buffersAreUsedAsDeclared() {
        refused("declared READ", (KernelBuilder b) -> b.store(MemoryType.U32, b.buffer("x", Access.READ), b.u32(0), b.u32(0)));
        refused("declared WRITE", (KernelBuilder b) -> b.load(MemoryType.U32, b.buffer("x", Access.WRITE), b.u32(0)));
        refused("declared READ", (KernelBuilder b) -> b.store(MemoryType.U32, b.advance(b.buffer("x", Access.READ), b.thread(), 4), b.u32(0), b.u32(0)));
        refused("chooses between", (KernelBuilder b) -> b.select(b.eq(b.thread(), 0), b.buffer("x", Access.READ), b.buffer("y", Access.WRITE)));
    }

    @Test
    void headersHold() {
        Block empty = new Block(List.of(), List.of());
        refused("not a word", new DeviceKernel("a b", List.of(), List.of(), 64, 32, Set.of(), empty));
        refused("a subgroup of 24", new DeviceKernel("k", List.of(), List.of(), 48, 24, Set.of(), empty));
        refused("a workgroup of 48", new DeviceKernel("k", List.of(), List.of(), 48, 32, Set.of(), empty));
        refused("a workgroup of 2048", new DeviceKernel("k", List.of(), List.of(), 2048, 32, Set.of(), empty));
        SharedArray s = new SharedArray("s", MemoryType.F32, 4);
        refused("two shared arrays s", new DeviceKernel("k", List.of(), List.of(s, s), 64, 32, Set.of(), empty));
        refused("two parameters n", new DeviceKernel("k", List.of(new Param.Scalar("n", U0), new Param.Scalar("n", U1)), List.of(), 64, 32,
                Set.of(), empty));
        refused("not an array of the kernel", kernel(new Instruction.Constant(U0, 0), new Instruction.Load(List.of(F2), new Place.Shared(s, U0))));
    }

    @Test
    void barriersNeedUniformFlow() {
        refused("differ between threads of a workgroup", (KernelBuilder b) -> b.when(b.eq(b.thread(), 0), b::barrier));
        refused("differ between threads of a workgroup", (KernelBuilder b) -> b.when(b.eq(b.subgroup(), 0), b::barrier));
        refused("differ between threads of a workgroup", (KernelBuilder b) -> b.loop(b.thread(), b.u32(100), 64, i -> b.barrier()));
        refused("differ between threads of a workgroup", (KernelBuilder b) -> {
            Reg x = b.loop(b.u32(0), b.u32(2), 1, b.u32(0), (i, c) -> b.add(c, b.lane()));
            b.when(b.eq(x, 0), b::barrier);
        });
        accepted(b -> b.when(b.eq(b.workgroupX(), 0), b::barrier));
        accepted(b -> b.loop(b.u32(0), b.gridX(), 1, i -> b.barrier()));
        accepted(b -> {
            SharedArray flag = b.shared("flag", MemoryType.U32, 1);
            b.when(b.eq(b.thread(), 0), () -> b.store(flag, b.u32(0), b.u32(3)));
            b.barrier();
            b.loopWhile(b.u32(0), i -> b.lt(i, b.load(flag, b.u32(0))), i -> {
                b.barrier();
                return b.add(i, 1);
            });
        });
    }

    @Test
    void subgroupsNeedUniformFlow() {
        refused("differ between threads of a subgroup", (KernelBuilder b) -> b.when(b.eq(b.lane(), 0), () -> b.reduce(ReduceOp.ADD, b.lane())));
        refused("differ between threads of a subgroup", (KernelBuilder b) -> b.loop(b.thread(), b.u32(64), 64, i -> b.shuffleXor(i, 1)));
        accepted(b -> b.when(b.eq(b.subgroup(), 0), () -> b.reduce(ReduceOp.ADD, b.lane())));
        accepted(b -> b.when(b.eq(b.broadcast(b.lane()), 0), () -> b.reduce(ReduceOp.ADD, b.lane())));
        refused("may differ between threads of a subgroup", (KernelBuilder b) -> b.loadFragment(new Fragment(Fragment.Use.A, MemoryType.F16),
                MemoryBuilder.at(MemoryType.F16, b.buffer("x", Access.READ), b.lane()), b.u32(16), Layout.ROW_MAJOR));
    }

    @Test
    void nestingIsBounded() {
        refused("nested deeper", (KernelBuilder b) -> nest(b, b.eq(b.workgroupX(), 0), 70));
    }

    private static void nest(KernelBuilder b, Reg condition, int depth) {
        if (depth > 0) {
            b.when(condition, () -> nest(b, condition, depth - 1));
        }
    }
}
