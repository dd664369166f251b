package poot.backend.cuda.ptx;

import java.util.StringJoiner;
import poot.core.kernel.ir.Block;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.InvalidKernelException;
import poot.core.kernel.ir.Param;
import poot.core.kernel.ir.ScalarType;

/** Writes a kernel as PTX: one module, one entry, parameters in the kernel's order. */
public final class PtxEmitter {
    private static final String PREFIX = "poot_";
    /** One workgroup on a multiprocessor will do: left to itself the assembler spills registers to have more of them there. */
    private static final String RESIDENT = ".minnctapersm 1\n";

    private final PtxText out = new PtxText();
    private final Arithmetic arithmetic;
    private final Conversions conversions;
    private final MemoryAccess memory;
    private final WarpOperations warp;
    private final MatrixFragments fragments;
    private final Flow flow;

    private PtxEmitter(DeviceKernel kernel, PtxTarget target) {
        KernelFacts facts = KernelFacts.of(kernel);
        arithmetic = new Arithmetic(out);
        conversions = new Conversions(out, target);
        memory = new MemoryAccess(out, target, facts, conversions, kernel);
        warp = new WarpOperations(out, target);
        fragments = new MatrixFragments(out, target, memory, conversions);
        flow = new Flow(out, facts, this::write);
    }

    /** The name of a kernel's entry. */
    public static String entry(DeviceKernel kernel) {
        return PREFIX + kernel.name();
    }

    /** Bytes of shared memory a launch asks for beside what the module declares. */
    public static int launchSharedBytes(DeviceKernel kernel) {
        return kernel.sharedBytes() > MemoryAccess.DECLARED ? kernel.sharedBytes() : 0;
    }

    /**
     * The module.
     *
     * @param kernel valid, of subgroups of 32, that needs nothing the target lacks
     */
    public static String emit(DeviceKernel kernel, PtxTarget target) {
        if (kernel.subgroup() != WarpOperations.WARP) {
            throw new InvalidKernelException("kernel " + kernel.name() + " of subgroups of " + kernel.subgroup(), "use the device's 32");
        }
        if (!target.capabilities().containsAll(kernel.needs())) {
            throw new InvalidKernelException("kernel " + kernel.name() + " needs " + kernel.needs(), "use what the device has");
        }
        PtxEmitter e = new PtxEmitter(kernel, target);
        String params = e.params(kernel);
        e.write(kernel.body());
        e.out.line("ret");
        return target.header() + MemoryAccess.declaration(kernel)
                + ".visible .entry " + entry(kernel) + "(" + params + ")\n"
                + ".reqntid " + kernel.workgroup() + ", 1, 1\n" + RESIDENT + "{\n"
                + e.out.registers().declarations() + e.out.body() + "}\n";
    }

    private String params(DeviceKernel kernel) {
        StringJoiner list = new StringJoiner(", ");
        for (int i = 0; i < kernel.params().size(); i++) {
            Param p = kernel.params().get(i);
            String name = "p" + i;
            String to = out.registers().define(p.reg());
            if (p.reg().type() == ScalarType.BUFFER) {
                list.add(".param .u64 " + name);
                out.line("ld.param.u64", to, "[" + name + "]");
                out.line("cvta.to.global.u64", to, to);
            } else {
                String suffix = Arithmetic.suffix((ScalarType) p.reg().type());
                list.add(".param " + suffix + " " + name);
                out.line("ld.param" + suffix, to, "[" + name + "]");
            }
        }
        return list.toString();
    }

    private void write(Block block) {
        block.instructions().forEach(this::write);
    }

    private void write(Instruction i) {
        switch (i) {
            case Instruction.Constant c -> out.registers().literal(c.result(), c.bits());
            case Instruction.ReadBuiltin b -> warp.builtin(b);
            case Instruction.Unary u -> arithmetic.unary(u);
            case Instruction.Binary b -> arithmetic.binary(b);
            case Instruction.Compare c -> arithmetic.compare(c);
            case Instruction.Fma f -> arithmetic.fma(f);
            case Instruction.Select s -> arithmetic.select(s);
            case Instruction.Convert c -> conversions.convert(c);
            case Instruction.Dot4 d -> arithmetic.dot4(d);
            case Instruction.Advance a -> arithmetic.advance(a);
            case Instruction.Load l -> memory.load(l);
            case Instruction.Store s -> memory.store(s);
            case Instruction.Atomic a -> memory.atomic(a);
            case Instruction.Barrier b -> warp.barrier();
            case Instruction.SubgroupReduce r -> warp.reduce(r);
            case Instruction.Shuffle s -> warp.shuffle(s);
            case Instruction.ShuffleXor s -> warp.shuffleXor(s);
            case Instruction.Broadcast b -> warp.broadcast(b);
            case Instruction.CopyAsync c -> memory.copyAsync(c);
            case Instruction.CommitCopies c -> memory.commitCopies();
            case Instruction.AwaitCopies a -> memory.awaitCopies(a);
            case Instruction.FragmentFill f -> fragments.fill(f);
            case Instruction.FragmentLoad l -> fragments.load(l);
            case Instruction.FragmentMultiply m -> fragments.multiply(m);
            case Instruction.FragmentStore s -> fragments.store(s);
            case Instruction.If f -> flow.choose(f);
            case Instruction.For f -> flow.count(f);
            case Instruction.While w -> flow.repeat(w);
        }
    }
}
