package poot.backend.vulkan.device;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.BinaryOp;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/**
 * A kernel of random, defined operations whose results are the same bits on every device: integers, and F32 only where
 * it is exact. It reads buffer 0 of a word for each thread, and writes buffer 1 of as many.
 */
final class RandomKernel {
    private static final int DEEPEST = 4;

    private final RandomGenerator random;
    private final KernelBuilder b;
    private final int threads;
    private Reg from;
    private SharedArray shared;
    private int left;

    private RandomKernel(RandomGenerator random, int threads, int subgroup, int instructions) {
        this.random = random;
        this.threads = threads;
        this.b = new KernelBuilder("random", threads, subgroup);
        this.left = instructions;
    }

    static DeviceKernel of(RandomGenerator random, int threads, int subgroup, int instructions) {
        return new RandomKernel(random, threads, subgroup, instructions).build();
    }

    private DeviceKernel build() {
        from = b.buffer("from", Access.READ);
        Reg to = b.buffer("to", Access.WRITE);
        shared = b.shared("shared", MemoryType.U32, threads);
        List<Reg> live = new ArrayList<>(List.of(b.load(MemoryType.U32, from, b.globalThread()), b.thread(), b.u32(random.nextInt()),
                b.toI32(b.globalThread()), b.f32(random.nextInt(-50, 50)), b.bool(random.nextBoolean())));
        while (left > 0) {
            if (random.nextInt(6) == 0) {
                live.add(together(live));
            } else {
                step(live, 0);
            }
        }
        Reg sum = b.u32(0);
        for (Reg r : live) {
            sum = b.xor(b.mul(sum, 0x01000193), word(r));
        }
        b.store(MemoryType.U32, to, b.globalThread(), sum);
        return b.build();
    }

    private static List<Reg> of(List<Reg> live, ScalarType type) {
        return live.stream().filter(r -> r.type() == type).toList();
    }

    private Reg pick(List<Reg> live, ScalarType type) {
        List<Reg> all = of(live, type);
        return all.get(random.nextInt(all.size()));
    }

    private ScalarType integer() {
        return random.nextBoolean() ? ScalarType.U32 : ScalarType.I32;
    }

    /** As a word; a real as the whole number it is, since a zero's sign is a device's affair where MIN and MAX meet both. */
    private Reg word(Reg r) {
        return b.toU32(r.type() == ScalarType.F32 ? b.toI32(r) : r);
    }

    /** Adds to what is live. */
    private void step(List<Reg> live, int depth) {
        left--;
        int kind = random.nextInt(depth < DEEPEST ? 12 : 9);
        switch (kind) {
            case 0, 1, 2 -> live.add(integers(live));
            case 3 -> live.add(reals(live));
            case 4 -> live.add(b.compare(pick(List.of(Comparison.values())), pick(live, ScalarType.I32), pick(live, ScalarType.I32)));
            case 5 -> live.add(b.compare(pick(List.of(Comparison.values())), pick(live, ScalarType.F32), pick(live, ScalarType.F32)));
            case 6 -> {
                ScalarType type = pick(List.of(ScalarType.values()).subList(0, 4));
                live.add(b.select(pick(live, ScalarType.BOOL), pick(live, type), pick(live, type)));
            }
            case 7 -> live.add(random.nextBoolean() ? b.toI32(pick(live, ScalarType.U32)) : b.toU32(pick(live, ScalarType.BOOL)));
            case 8 -> live.add(b.load(MemoryType.U32, from, b.rem(pick(live, ScalarType.U32), threads)));
            case 9 -> live.addAll(choice(live, depth));
            case 10 -> live.addAll(loop(live, depth));
            default -> live.add(halving(live));
        }
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private Reg integers(List<Reg> live) {
        ScalarType type = integer();
        Reg x = pick(live, type);
        Reg y = pick(live, type);
        BinaryOp op = pick(List.of(BinaryOp.values()));
        return switch (op) {
            case DIV, REM -> b.binary(op, x, b.or(b.and(y, 0xffff), b.number(type, 1)));
            case SHL, SHR -> b.binary(op, x, b.and(y, 31));
            default -> b.binary(op, x, y);
        };
    }

    /** Small whole numbers: every result is exact. */
    private Reg reals(List<Reg> live) {
        Reg x = pick(live, ScalarType.F32);
        Reg y = b.toF32(b.and(pick(live, ScalarType.I32), 1023));
        Reg z = switch (random.nextInt(4)) {
            case 0 -> b.add(x, y);
            case 1 -> b.sub(y, x);
            case 2 -> b.max(b.neg(x), y);
            default -> b.min(b.abs(x), y);
        };
        return b.max(b.min(z, b.f32(1 << 20)), b.f32(-(1 << 20)));
    }

    private List<Reg> choice(List<Reg> live, int depth) {
        return b.choose(pick(live, ScalarType.BOOL), () -> arm(live, depth), () -> arm(live, depth));
    }

    /** A block of a few steps, and one register of each type of it. */
    private List<Reg> arm(List<Reg> live, int depth) {
        List<Reg> inner = new ArrayList<>(live);
        int steps = random.nextInt(1, 5);
        for (int i = 0; i < steps; i++) {
            step(inner, depth + 1);
        }
        return List.of(of(inner, ScalarType.U32).getLast(), of(inner, ScalarType.I32).getLast(), of(inner, ScalarType.F32).getLast(),
                of(inner, ScalarType.BOOL).getLast());
    }

    private List<Reg> loop(List<Reg> live, int depth) {
        List<Reg> initial = List.of(pick(live, ScalarType.U32), pick(live, ScalarType.I32), pick(live, ScalarType.F32), pick(live, ScalarType.BOOL));
        Reg to = random.nextBoolean() ? b.u32(random.nextInt(4)) : b.and(pick(live, ScalarType.U32), 3);
        return b.loop(b.u32(0), to, random.nextInt(1, 3), initial, (i, carried) -> {
            List<Reg> inner = new ArrayList<>(live);
            inner.add(i);
            inner.addAll(carried);
            return arm(inner, depth);
        });
    }

    private Reg halving(List<Reg> live) {
        Reg by = b.u32(random.nextInt(1, 5));
        return b.loopWhile(pick(live, ScalarType.U32), v -> b.gt(v, b.u32(100)), v -> b.shr(v, by));
    }

    /** What all threads do: lanes joined or exchanged, or words exchanged through shared memory. */
    private Reg together(List<Reg> live) {
        left--;
        Reg x = pick(live, ScalarType.U32);
        return switch (random.nextInt(4)) {
            case 0 -> b.reduce(pick(List.of(ReduceOp.values())), x);
            case 1 -> b.shuffleXor(x, random.nextInt(1, b.subgroupSize()));
            case 2 -> b.shuffle(x, b.and(pick(live, ScalarType.U32), b.subgroupSize() - 1));
            default -> {
                b.barrier();
                b.store(shared, b.thread(), x);
                b.barrier();
                yield b.load(shared, b.rem(pick(live, ScalarType.U32), threads));
            }
        };
    }
}
