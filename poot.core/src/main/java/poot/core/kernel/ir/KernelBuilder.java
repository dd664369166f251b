package poot.core.kernel.ir;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Writes one kernel, in the order it runs: methods add instructions and return registers, flow takes blocks as lambdas.
 * A register made within a block is read only there; what flow hands on are its results. Java lists of registers are
 * unrolled arrays. Worked examples are in the description of this package.
 *
 * <p>A builder is for one thread and one kernel. Mistakes throw {@link InvalidKernelException} where they are made, or
 * in {@link #build}.
 */
public final class KernelBuilder extends MemoryBuilder {
    private final String name;
    private final int workgroup;
    private final int subgroup;
    private final List<Param> params = new ArrayList<>();
    private final List<Instruction> head = new ArrayList<>();
    private final EnumSet<Capability> needs = EnumSet.noneOf(Capability.class);
    private List<Instruction> block = new ArrayList<>();
    private int registers;

    /**
     * Begins a kernel.
     *
     * @param workgroup threads of a workgroup, a multiple of {@code subgroup}
     * @param subgroup threads of a subgroup, a power of two that the device offers
     */
    public KernelBuilder(String name, int workgroup, int subgroup) {
        this.name = name;
        this.workgroup = workgroup;
        this.subgroup = subgroup;
    }

    /** The kernel, checked by {@link KernelValidator}. */
    public DeviceKernel build() {
        List<Instruction> all = new ArrayList<>(head);
        all.addAll(block);
        DeviceKernel out = new DeviceKernel(name, params, List.copyOf(shared.values()), workgroup, subgroup, needs,
                new Block(all, List.of()));
        KernelValidator.validate(out);
        return out;
    }

    /** Threads of a workgroup. */
    public int workgroupSize() {
        return workgroup;
    }

    /** Threads of a subgroup. */
    public int subgroupSize() {
        return subgroup;
    }

    /** Subgroups of a workgroup. */
    public int subgroups() {
        return workgroup / subgroup;
    }

    // Parameters

    /** A parameter: the address of memory. */
    public Reg buffer(String parameter, Access access) {
        Reg out = fresh(ScalarType.BUFFER);
        params.add(new Param.Buffer(parameter, access, out));
        return out;
    }

    /** A parameter: a number. */
    public Reg scalar(String parameter, ScalarType type) {
        Reg out = fresh(type);
        params.add(new Param.Scalar(parameter, out));
        return out;
    }

    // The thread's place

    /** The workgroup along x. */
    public Reg workgroupX() {
        return builtin(Builtin.WORKGROUP_X);
    }

    /** The workgroup along y. */
    public Reg workgroupY() {
        return builtin(Builtin.WORKGROUP_Y);
    }

    /** The workgroup along z. */
    public Reg workgroupZ() {
        return builtin(Builtin.WORKGROUP_Z);
    }

    /** Workgroups along x. */
    public Reg gridX() {
        return builtin(Builtin.GRID_X);
    }

    /** Workgroups along y. */
    public Reg gridY() {
        return builtin(Builtin.GRID_Y);
    }

    /** Workgroups along z. */
    public Reg gridZ() {
        return builtin(Builtin.GRID_Z);
    }

    /** The thread in its workgroup. */
    public Reg thread() {
        return builtin(Builtin.THREAD);
    }

    /** The thread in its subgroup. */
    public Reg lane() {
        return builtin(Builtin.LANE);
    }

    /** The subgroup in its workgroup. */
    public Reg subgroup() {
        return builtin(Builtin.SUBGROUP);
    }

    /** {@code workgroup * workgroup size + thread} along x. */
    public Reg globalThread() {
        return mad(workgroupX(), workgroup, thread());
    }

    // Conversions

    /** A number as F32, rounded to the nearest. */
    public Reg toF32(Reg a) {
        return convert(a, ScalarType.F32, Conversion.I32_TO_F32, Conversion.U32_TO_F32);
    }

    /** A number as I32: F32 towards zero and saturating, U32 the same bits. */
    public Reg toI32(Reg a) {
        return convert(a, ScalarType.I32, Conversion.F32_TO_I32, Conversion.U32_TO_I32);
    }

    /** A number or BOOL as U32: F32 towards zero and saturating, I32 the same bits. */
    public Reg toU32(Reg a) {
        return convert(a, ScalarType.U32, Conversion.F32_TO_U32, Conversion.I32_TO_U32, Conversion.BOOL_TO_U32);
    }

    /** The bits of an F32 as U32. */
    public Reg bits(Reg a) {
        return convert(Conversion.F32_TO_BITS, a);
    }

    /** The F32 whose bits are the U32 {@code a}. */
    public Reg fromBits(Reg a) {
        return convert(Conversion.BITS_TO_F32, a);
    }

    /** The binary16 in the low half of a U32. */
    public Reg fromF16Bits(Reg a) {
        return convert(Conversion.F16_BITS_TO_F32, a);
    }

    /** The bfloat16 in the low half of a U32. */
    public Reg fromBf16Bits(Reg a) {
        return convert(Conversion.BF16_BITS_TO_F32, a);
    }

    /** Another type. */
    public Reg convert(Conversion op, Reg a) {
        Types.require(a.type() == op.from(), op, a);
        return add(new Instruction.Convert(fresh(op.to()), op, a));
    }

    private Reg convert(Reg a, ScalarType to, Conversion... conversions) {
        if (a.type() == to) {
            return a;
        }
        for (Conversion c : conversions) {
            if (c.from() == a.type()) {
                return convert(c, a);
            }
        }
        throw new InvalidKernelException(a.type() + " as " + to, "no such conversion exists");
    }

    /** {@code accumulator} (I32) + the dot product of the four signed bytes of two U32. */
    public Reg dot4(Reg a, Reg b, Reg accumulator) {
        Types.require(a.type() == ScalarType.U32 && b.type() == ScalarType.U32 && accumulator.type() == ScalarType.I32,
                "dot4", a, b, accumulator);
        return add(new Instruction.Dot4(fresh(ScalarType.I32), a, b, accumulator));
    }

    // Threads together

    /** Every thread of the workgroup arrives before one goes on, and sees what the others wrote. */
    public void barrier() {
        emit(new Instruction.Barrier());
    }

    /** All lanes of the subgroup joined. */
    public Reg reduce(ReduceOp op, Reg a) {
        Types.require(op.takes(a.type()), "reduce " + op, a);
        return add(new Instruction.SubgroupReduce(fresh(a.type()), op, a));
    }

    /** The value in another lane (U32) of the subgroup. */
    public Reg shuffle(Reg a, Reg lane) {
        Types.require(Types.isNumber(a) && lane.type() == ScalarType.U32, "shuffle", a, lane);
        return add(new Instruction.Shuffle(fresh(a.type()), a, lane));
    }

    /** The value in the lane {@code lane ^ mask}. */
    public Reg shuffleXor(Reg a, int mask) {
        Types.require(Types.isNumber(a), "shuffle", a);
        if (mask < 1 || mask >= subgroup) {
            throw new InvalidKernelException("a shuffle by " + mask, "use 1 to below the subgroup's " + subgroup);
        }
        return add(new Instruction.ShuffleXor(fresh(a.type()), a, mask));
    }

    /** The value in lane 0. */
    public Reg broadcast(Reg a) {
        Types.require(Types.isNumber(a), "broadcast", a);
        return add(new Instruction.Broadcast(fresh(a.type()), a));
    }

    // Flow

    /** Runs {@code then} where the condition holds. */
    public void when(Reg condition, Runnable then) {
        when(condition, then, () -> { });
    }

    /** Runs {@code then} where the condition holds, {@code otherwise} elsewhere. */
    public void when(Reg condition, Runnable then, Runnable otherwise) {
        choose(condition, () -> nothing(then), () -> nothing(otherwise));
    }

    /** What {@code then} gives where the condition holds, what {@code otherwise} gives elsewhere; only one of them runs. */
    public Reg either(Reg condition, Supplier<Reg> then, Supplier<Reg> otherwise) {
        return choose(condition, () -> List.of(then.get()), () -> List.of(otherwise.get())).getFirst();
    }

    /** As {@link #either}, of several registers. */
    public List<Reg> choose(Reg condition, Supplier<List<Reg>> then, Supplier<List<Reg>> otherwise) {
        Types.require(condition.type() == ScalarType.BOOL, "if", condition);
        var known = literal(condition);
        if (known.isPresent()) {
            return (known.getAsInt() != 0 ? then : otherwise).get();
        }
        Block yes = block(then);
        Block no = block(otherwise);
        List<Reg> results = fresh(yes.yields());
        emit(new Instruction.If(results, condition, yes, no));
        return results;
    }

    /** {@code for (i = from; i < to; i += step) body(i)}; all U32 or all I32. */
    public void loop(Reg from, Reg to, int step, Consumer<Reg> body) {
        loop(from, to, number(from.type(), step), List.of(), (i, none) -> nothing(() -> body.accept(i)));
    }

    /** {@code for (i = from; i < to; i += step) x = body(i, x)}, x being {@code initial} at first; the last x. */
    public Reg loop(Reg from, Reg to, int step, Reg initial, BinaryOperator<Reg> body) {
        return loop(from, to, step, List.of(initial), (i, x) -> List.of(body.apply(i, x.getFirst()))).getFirst();
    }

    /** {@code for (i = from; i < to; i += step) x = body(i, x)}, x being {@code initial} at first; the last x. */
    public List<Reg> loop(Reg from, Reg to, int step, List<Reg> initial, BiFunction<Reg, List<Reg>, List<Reg>> body) {
        return loop(from, to, number(from.type(), step), initial, body);
    }

    /** {@code for (i = from; i < to; i += step) x = body(i, x)}, x being {@code initial} at first; the last x. */
    public List<Reg> loop(Reg from, Reg to, Reg step, List<Reg> initial, BiFunction<Reg, List<Reg>, List<Reg>> body) {
        Types.require(Types.isInteger(from) && to.type() == from.type() && step.type() == from.type(), "loop", from, to, step);
        Reg i = fresh(from.type());
        List<Reg> carried = fresh(initial);
        Block inner = block(() -> body.apply(i, carried));
        List<Reg> results = fresh(initial);
        emit(new Instruction.For(results, i, from, to, step, carried, initial, inner));
        return results;
    }

    /** {@code while (condition(x)) x = body(x)}, x being {@code initial} at first; the last x. */
    public Reg loopWhile(Reg initial, UnaryOperator<Reg> condition, UnaryOperator<Reg> body) {
        return loopWhile(List.of(initial), x -> condition.apply(x.getFirst()), x -> List.of(body.apply(x.getFirst()))).getFirst();
    }

    /** {@code while (condition(x)) x = body(x)}, x being {@code initial} at first; the last x. */
    public List<Reg> loopWhile(List<Reg> initial, Function<List<Reg>, Reg> condition, UnaryOperator<List<Reg>> body) {
        List<Reg> carried = fresh(initial);
        Block test = block(() -> List.of(condition.apply(carried)));
        Block inner = block(() -> body.apply(carried));
        List<Reg> results = fresh(initial);
        emit(new Instruction.While(results, carried, initial, test, inner));
        return results;
    }

    private Block block(Supplier<List<Reg>> body) {
        List<Instruction> outer = block;
        block = new ArrayList<>();
        List<Reg> yields = body.get();
        Block out = new Block(block, yields);
        block = outer;
        return out;
    }

    private static List<Reg> nothing(Runnable body) {
        body.run();
        return List.of();
    }

    private List<Reg> fresh(List<Reg> like) {
        return like.stream().map(r -> fresh(r.type())).toList();
    }

    @Override
    Reg fresh(RegisterType type) {
        return new Reg(registers++, type);
    }

    @Override
    void hoist(Instruction i) {
        head.add(i);
    }

    @Override
    void emit(Instruction i) {
        for (Reg r : i.results()) {
            if (r.type() instanceof Fragment f && f.use() != Fragment.Use.ACCUMULATOR) {
                needs.add(f.needs());
            }
        }
        block.add(i);
    }
}
