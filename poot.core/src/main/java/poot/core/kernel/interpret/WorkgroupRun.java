package poot.core.kernel.interpret;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.BinaryOp;
import poot.core.kernel.ir.Block;
import poot.core.kernel.ir.Builtin;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Param;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.RegisterType;
import poot.core.kernel.ir.ScalarType;

/**
 * One workgroup run: each instruction for all threads that are there, then the next. {@code lanes} are the threads
 * that are, in rising order.
 */
final class WorkgroupRun {
    private static final long MAX_ROUNDS = 1L << 24;
    private final DeviceKernel kernel;
    private final Site site;
    private final Grid grid;
    private final List<Binding> bindings;
    private final Registers registers;
    private final Accesses accesses;
    private final Together together;

    WorkgroupRun(DeviceKernel kernel, Site site, Grid grid, List<Binding> bindings, Registers registers) {
        this.kernel = kernel;
        this.site = site;
        this.grid = grid;
        this.bindings = bindings;
        this.registers = registers;
        this.accesses = new Accesses(kernel, site, registers, bindings);
        this.together = new Together(kernel, site, registers, accesses);
    }

    void run() throws KernelFaultException {
        int[] all = new int[kernel.workgroup()];
        for (int t = 0; t < all.length; t++) {
            all[t] = t;
        }
        for (int p = 0; p < bindings.size(); p++) {
            Binding b = bindings.get(p);
            boolean buffer = b.param() instanceof Param.Buffer;
            Arrays.fill(registers.words(b.param().reg()), buffer ? p : b.bits());
            if (buffer) {
                Arrays.fill(registers.addresses(b.param().reg()), b.address());
            }
        }
        block(kernel.body(), all);
    }

    private void block(Block b, int[] lanes) throws KernelFaultException {
        for (Instruction i : b.instructions()) {
            site.instruction = i;
            site.thread = lanes[0];
            step(i, lanes);
        }
    }

    private void step(Instruction i, int[] lanes) throws KernelFaultException {
        switch (i) {
            case Instruction.Constant c -> map(c.result(), c.result(), a -> c.bits(), lanes);
            case Instruction.ReadBuiltin b -> builtin(b, lanes);
            case Instruction.Unary u -> map(u.result(), u.a(), Scalars.unary(u.op(), u.a().type()), lanes);
            case Instruction.Binary b -> {
                defined(b, lanes);
                map(b.result(), b.a(), b.b(), Scalars.binary(b.op(), b.a().type()), lanes);
            }
            case Instruction.Compare c -> map(c.result(), c.a(), c.b(), Scalars.compare(c.op(), c.a().type()), lanes);
            case Instruction.Convert c -> map(c.result(), c.a(), Scalars.convert(c.op()), lanes);
            case Instruction.Fma f -> fma(f, lanes);
            case Instruction.Select s -> select(s, lanes);
            case Instruction.Dot4 d -> dot4(d, lanes);
            case Instruction.Advance a -> advance(a, lanes);
            case Instruction.Load l -> accesses.load(l, lanes);
            case Instruction.Store s -> accesses.store(s, lanes);
            case Instruction.Atomic a -> accesses.atomic(a, lanes);
            case Instruction.CopyAsync c -> accesses.copy(c, lanes);
            case Instruction.If f -> branch(f, lanes);
            case Instruction.For f -> count(f, lanes);
            case Instruction.While w -> repeat(w, lanes);
            default -> together.step(i, lanes);
        }
    }

    // One value a thread

    private void map(Reg result, Reg a, IntUnaryOperator f, int[] lanes) {
        int[] x = registers.words(a);
        int[] out = registers.words(result);
        for (int t : lanes) {
            out[t] = f.applyAsInt(x[t]);
        }
    }

    private void map(Reg result, Reg a, Reg b, IntBinaryOperator f, int[] lanes) {
        int[] x = registers.words(a);
        int[] y = registers.words(b);
        int[] out = registers.words(result);
        for (int t : lanes) {
            out[t] = f.applyAsInt(x[t], y[t]);
        }
    }

    private void defined(Instruction.Binary b, int[] lanes) throws KernelFaultException {
        if (b.a().type() == ScalarType.F32) {
            return;
        }
        boolean divides = b.op() == BinaryOp.DIV || b.op() == BinaryOp.REM;
        boolean shifts = b.op() == BinaryOp.SHL || b.op() == BinaryOp.SHR;
        if (!divides && !shifts) {
            return;
        }
        int[] y = registers.words(b.b());
        for (int t : lanes) {
            site.thread = t;
            if (divides && y[t] == 0) {
                throw site.undefined("division by 0");
            }
            if (shifts && y[t] >>> 5 != 0) {
                throw site.undefined("a shift by " + y[t]);
            }
        }
    }

    private void fma(Instruction.Fma f, int[] lanes) {
        int[] a = registers.words(f.a());
        int[] b = registers.words(f.b());
        int[] c = registers.words(f.c());
        int[] out = registers.words(f.result());
        for (int t : lanes) {
            out[t] = Scalars.bits(Math.fma(Scalars.real(a[t]), Scalars.real(b[t]), Scalars.real(c[t])));
        }
    }

    private void select(Instruction.Select s, int[] lanes) {
        int[] condition = registers.words(s.condition());
        int[] then = registers.words(s.then());
        int[] otherwise = registers.words(s.otherwise());
        int[] out = registers.words(s.result());
        for (int t : lanes) {
            out[t] = condition[t] != 0 ? then[t] : otherwise[t];
        }
        if (s.result().type() == ScalarType.BUFFER) {
            for (int t : lanes) {
                registers.addresses(s.result())[t] = registers.addresses(condition[t] != 0 ? s.then() : s.otherwise())[t];
            }
        }
    }

    private void dot4(Instruction.Dot4 d, int[] lanes) {
        int[] a = registers.words(d.a());
        int[] b = registers.words(d.b());
        int[] c = registers.words(d.accumulator());
        int[] out = registers.words(d.result());
        for (int t : lanes) {
            out[t] = Scalars.dot4(a[t], b[t], c[t]);
        }
    }

    private void advance(Instruction.Advance a, int[] lanes) {
        int[] count = registers.words(a.count());
        long[] from = registers.addresses(a.buffer());
        long[] to = registers.addresses(a.result());
        for (int t : lanes) {
            to[t] = from[t] + Integer.toUnsignedLong(count[t]) * a.strideBytes();
            registers.words(a.result())[t] = registers.words(a.buffer())[t];
        }
    }

    private void builtin(Instruction.ReadBuiltin b, int[] lanes) {
        int[] out = registers.words(b.result());
        for (int t : lanes) {
            out[t] = builtin(b.builtin(), t);
        }
    }

    private int builtin(Builtin b, int thread) {
        return switch (b) {
            case WORKGROUP_X -> site.x;
            case WORKGROUP_Y -> site.y;
            case WORKGROUP_Z -> site.z;
            case GRID_X -> grid.x();
            case GRID_Y -> grid.y();
            case GRID_Z -> grid.z();
            case THREAD -> thread;
            case LANE -> thread % kernel.subgroup();
            case SUBGROUP -> thread / kernel.subgroup();
        };
    }

    // Flow

    private void branch(Instruction.If f, int[] lanes) throws KernelFaultException {
        int[] condition = registers.words(f.condition()).clone();
        arm(f.then(), f.results(), filter(lanes, t -> condition[t] != 0));
        arm(f.otherwise(), f.results(), filter(lanes, t -> condition[t] == 0));
    }

    private void arm(Block b, List<Reg> results, int[] lanes) throws KernelFaultException {
        if (lanes.length > 0) {
            block(b, lanes);
            move(b.yields(), results, lanes);
        }
    }

    private void count(Instruction.For f, int[] lanes) throws KernelFaultException {
        int[] i = registers.words(f.variable());
        int[] to = registers.words(f.to()).clone();
        int[] step = registers.words(f.step()).clone();
        IntBinaryOperator below = Scalars.compare(Comparison.LT, f.variable().type());
        move(List.of(f.from()), List.of(f.variable()), lanes);
        move(f.initial(), f.carried(), lanes);
        int[] current = filter(lanes, t -> below.applyAsInt(i[t], to[t]) != 0);
        while (current.length > 0) {
            block(f.body(), current);
            move(f.body().yields(), f.carried(), current);
            site.instruction = f;
            advanceCounter(i, step, f.variable().type(), current);
            current = filter(current, t -> below.applyAsInt(i[t], to[t]) != 0);
        }
        move(f.carried(), f.results(), lanes);
    }

    private void advanceCounter(int[] i, int[] step, RegisterType type, int[] lanes) throws KernelFaultException {
        IntBinaryOperator below = Scalars.compare(Comparison.LT, type);
        for (int t : lanes) {
            site.thread = t;
            int next = i[t] + step[t];
            if (below.applyAsInt(i[t], next) == 0) {
                throw site.undefined("a loop from " + i[t] + " by " + step[t] + " wraps or stands");
            }
            i[t] = next;
        }
    }

    private void repeat(Instruction.While w, int[] lanes) throws KernelFaultException {
        move(w.initial(), w.carried(), lanes);
        int[] current = lanes;
        for (long rounds = 0; ; rounds++) {
            site.instruction = w;
            if (rounds == MAX_ROUNDS) {
                throw new KernelFaultException(new KernelFault.Runaway(site.where(), rounds));
            }
            block(w.condition(), current);
            int[] condition = registers.words(w.condition().yields().getFirst());
            current = filter(current, t -> condition[t] != 0);
            if (current.length == 0) {
                break;
            }
            block(w.body(), current);
            move(w.body().yields(), w.carried(), current);
        }
        move(w.carried(), w.results(), lanes);
    }

    /** Moves registers all at once: what is read is read before anything is written. */
    private void move(List<Reg> from, List<Reg> to, int[] lanes) {
        List<Registers.Held> held = new ArrayList<>(from.size());
        for (Reg r : from) {
            held.add(registers.take(r));
        }
        for (int k = 0; k < to.size(); k++) {
            registers.give(to.get(k), held.get(k), lanes);
        }
    }

    private static int[] filter(int[] lanes, IntPredicate keep) {
        int[] out = new int[lanes.length];
        int n = 0;
        for (int t : lanes) {
            if (keep.test(t)) {
                out[n++] = t;
            }
        }
        return n == lanes.length ? lanes : Arrays.copyOf(out, n);
    }
}
