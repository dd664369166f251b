package poot.backend.cuda.kernels;

import static poot.backend.cuda.kernels.KernelCase.Compared;
import static poot.backend.cuda.kernels.KernelCase.floats;
import static poot.backend.cuda.kernels.KernelCase.room;
import static poot.backend.cuda.kernels.KernelCase.u32;
import static poot.backend.cuda.kernels.KernelCase.words;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.BinaryOp;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.Conversion;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;
import poot.core.kernel.ir.UnaryOp;

/** Kernels from a seed: expressions, choices and loops within each other, memory of both kinds; all they do is defined and exact. */
public final class RandomKernels {
    private static final int THREADS = 64;
    private static final int BLOCKS = 2;
    private static final int N = THREADS * BLOCKS;
    private static final List<ScalarType> TYPES = List.of(ScalarType.I32, ScalarType.U32, ScalarType.F32, ScalarType.BOOL);

    private final Random random;
    private final KernelBuilder b;
    private final Map<ScalarType, List<Reg>> known = new EnumMap<>(ScalarType.class);
    private Reg input;
    private Reg reals;
    private Reg uniform;
    private SharedArray own;

    private RandomKernels(long seed) {
        random = new Random(seed);
        b = new KernelBuilder("random_" + seed, THREADS, 32);
        for (ScalarType t : TYPES) {
            known.put(t, new ArrayList<>());
        }
    }

    /** The kernel of a seed. */
    public static KernelCase of(long seed) {
        return new RandomKernels(seed).build();
    }

    private KernelCase build() {
        input = b.buffer("words", Access.READ);
        reals = b.buffer("reals", Access.READ);
        Reg out = b.buffer("out", Access.READ_WRITE);
        uniform = b.scalar("n", ScalarType.U32);
        own = b.shared("own", MemoryType.F32, THREADS);
        Reg i = b.globalThread();
        know(i, b.load(MemoryType.I32, input, i), b.load(MemoryType.F32, reals, i), b.lane(), uniform, b.i32(random.nextInt(9) - 4),
                b.f32(random.nextInt(64) / 8f), b.lt(b.lane(), b.u32(random.nextInt(33))));
        b.store(own, b.thread(), b.load(MemoryType.F32, reals, i));
        for (int k = 0; k < 6; k++) {
            steps(6, 0);
            together();
        }
        for (int k = 0; k < 4; k++) {
            Reg value = pick(TYPES.get(k));
            switch (TYPES.get(k)) {
                case F32 -> b.store(MemoryType.F32, out, b.add(i, b.u32(k * N)), value);
                case BOOL -> b.store(MemoryType.U32, out, b.add(i, b.u32(k * N)), b.toU32(value));
                case I32 -> b.store(MemoryType.I32, out, b.add(i, b.u32(k * N)), value);
                default -> b.store(MemoryType.U32, out, b.add(i, b.u32(k * N)), value);
            }
        }
        return new KernelCase(b.build(), Grid.of(BLOCKS), List.of(words(Awkward.words(N, random.nextInt(40))), floats(Awkward.floats(N, random.nextInt(40))),
                room(4 * N, Compared.FLOATS), u32(random.nextInt(6))));
    }

    private void know(Reg... regs) {
        for (Reg r : regs) {
            known.get((ScalarType) r.type()).add(r);
        }
    }

    private Reg pick(ScalarType type) {
        List<Reg> all = known.get(type);
        // Late ones more often than early ones.
        int n = all.size();
        return all.get(n - 1 - Math.min(random.nextInt(n), random.nextInt(n)));
    }

    /** So many steps; what is made in them is known only there. */
    private void steps(int count, int depth) {
        for (int k = 0; k < count; k++) {
            switch (random.nextInt(depth < 3 ? 14 : 11)) {
                case 0, 1, 2 -> know(integers(random.nextBoolean() ? ScalarType.I32 : ScalarType.U32));
                case 3, 4, 5 -> know(floating());
                case 6 -> know(compared());
                case 7 -> know(selected(TYPES.get(random.nextInt(4))));
                case 8 -> know(converted());
                case 9 -> know(random.nextBoolean() ? b.load(MemoryType.I32, input, within(N)) : b.load(MemoryType.F32, reals, within(N)));
                case 10 -> {
                    b.store(own, b.thread(), pick(ScalarType.F32));
                    know(b.load(own, b.thread()));
                }
                case 11 -> know(choice(depth).toArray(Reg[]::new));
                case 12 -> know(loop(depth).toArray(Reg[]::new));
                default -> know(repeated(depth).toArray(Reg[]::new));
            }
        }
    }

    private Reg within(int n) {
        return b.and(pick(ScalarType.U32), b.u32(n - 1));
    }

    private Reg integers(ScalarType t) {
        List<BinaryOp> ops = List.of(BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV, BinaryOp.REM, BinaryOp.MIN, BinaryOp.MAX, BinaryOp.AND,
                BinaryOp.OR, BinaryOp.XOR, BinaryOp.SHL, BinaryOp.SHR, BinaryOp.MUL_HIGH);
        BinaryOp op = ops.get(random.nextInt(ops.size()));
        Reg y = pick(t);
        return b.binary(op, pick(t), switch (op) {
            case DIV, REM -> b.or(b.and(y, b.number(t, 0xff)), b.number(t, 1));
            case SHL, SHR -> b.and(y, b.number(t, 31));
            default -> y;
        });
    }

    private Reg floating() {
        List<BinaryOp> ops = List.of(BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.MIN, BinaryOp.MAX);
        List<UnaryOp> alone = List.of(UnaryOp.NEG, UnaryOp.ABS, UnaryOp.FLOOR, UnaryOp.ROUND_EVEN);
        return switch (random.nextInt(3)) {
            case 0 -> b.binary(ops.get(random.nextInt(ops.size())), pick(ScalarType.F32), pick(ScalarType.F32));
            case 1 -> b.unary(alone.get(random.nextInt(alone.size())), pick(ScalarType.F32));
            default -> b.fma(pick(ScalarType.F32), pick(ScalarType.F32), pick(ScalarType.F32));
        };
    }

    private Reg compared() {
        ScalarType t = TYPES.get(random.nextInt(3));
        return random.nextInt(4) == 0
                ? b.binary(List.of(BinaryOp.AND, BinaryOp.OR, BinaryOp.XOR).get(random.nextInt(3)), pick(ScalarType.BOOL), pick(ScalarType.BOOL))
                : b.compare(Comparison.values()[random.nextInt(6)], pick(t), pick(t));
    }

    private Reg selected(ScalarType t) {
        return b.select(pick(ScalarType.BOOL), pick(t), pick(t));
    }

    private Reg converted() {
        Conversion c = Conversion.values()[random.nextInt(Conversion.values().length)];
        Reg a = pick(c.from());
        return switch (c) {
            // Bits of NaN are the device's affair.
            case F32_TO_BITS, F32_TO_F16_BITS, F32_TO_BF16_BITS -> b.convert(c, b.select(b.eq(a, a), a, b.f32(1.5f)));
            default -> b.convert(c, a);
        };
    }

    private List<Reg> results(int depth) {
        Map<ScalarType, List<Reg>> outer = new EnumMap<>(ScalarType.class);
        known.forEach((t, regs) -> outer.put(t, new ArrayList<>(regs)));
        steps(1 + random.nextInt(4), depth + 1);
        List<Reg> out = TYPES.stream().map(this::pick).toList();
        known.putAll(outer);
        return out;
    }

    private List<Reg> choice(int depth) {
        Reg condition = random.nextInt(3) == 0 ? b.lt(uniform, b.u32(random.nextInt(6))) : pick(ScalarType.BOOL);
        return b.choose(condition, () -> results(depth), () -> results(depth));
    }

    private List<Reg> loop(int depth) {
        Reg to = random.nextBoolean() ? uniform : b.and(pick(ScalarType.U32), b.u32(3));
        return b.loop(b.u32(random.nextInt(2)), to, 1 + random.nextInt(2), TYPES.stream().map(this::pick).toList(), (i, carried) -> {
            Map<ScalarType, List<Reg>> outer = new EnumMap<>(ScalarType.class);
            known.forEach((t, regs) -> outer.put(t, new ArrayList<>(regs)));
            know(i);
            know(carried.toArray(Reg[]::new));
            List<Reg> out = results(depth);
            known.putAll(outer);
            return out;
        });
    }

    /** At most three times round. */
    private List<Reg> repeated(int depth) {
        List<Reg> initial = new ArrayList<>(TYPES.stream().map(this::pick).toList());
        initial.add(b.u32(0));
        return b.loopWhile(initial, c -> b.and(b.lt(c.get(4), b.u32(3)), c.get(3)), c -> {
            Map<ScalarType, List<Reg>> outer = new EnumMap<>(ScalarType.class);
            known.forEach((t, regs) -> outer.put(t, new ArrayList<>(regs)));
            know(c.toArray(Reg[]::new));
            List<Reg> out = new ArrayList<>(results(depth));
            out.add(b.add(c.get(4), 1));
            known.putAll(outer);
            return out;
        });
    }

    /** What the threads of a subgroup, or of the workgroup, do together. */
    private void together() {
        know(b.reduce(ReduceOp.ADD, pick(ScalarType.I32)), b.reduce(ReduceOp.MAX, pick(ScalarType.U32)),
                b.shuffleXor(pick(ScalarType.F32), 1 << random.nextInt(5)), b.shuffle(pick(ScalarType.U32), within(32)));
        b.barrier();
        know(b.load(own, within(THREADS)));
        b.barrier();
    }
}
