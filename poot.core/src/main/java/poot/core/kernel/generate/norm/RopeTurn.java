package poot.core.kernel.generate.norm;

import java.util.List;
import poot.api.graph.Composite;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Rowed;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Functions;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * Rotary position embedding (Su et al. 2021), a thread for each pair of features that turns and each feature that does
 * not. Angles are F32 products of position and frequency, as the composite's definition has them.
 *
 * <p>Parameters: x F32 [R, T, H, D], positions I32 [R, T], frequencies F32 [rotary/2], out F32 [R, T, H, D], how many
 * tokens in all, R · T.
 */
public record RopeTurn(Composite.Rope rope, int heads, int width) implements Rowed {
    public RopeTurn {
        if (rope.rotary() < 2 || rope.rotary() % 2 != 0 || rope.rotary() > width) {
            throw new IllegalArgumentException(rope + " of heads of " + width + ": turn an even number of at most all features");
        }
    }

    private int half() {
        return rope.rotary() / 2;
    }

    /** Threads of a head. */
    private int each() {
        return width - half();
    }

    private static int workgroup(DeviceLimits limits) {
        return Flat.workgroup(Flat.WORKGROUP, limits);
    }

    /** A thread for each pair. */
    public Grid grid(DeviceLimits limits, int tokens) {
        long groups = ((long) tokens * heads * each() + workgroup(limits) - 1) / workgroup(limits);
        return new Flat(groups).workgroupGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder("rope", workgroup(limits), limits.subgroup());
        Reg x = b.buffer("x", Access.READ);
        Reg positions = b.buffer("positions", Access.READ);
        Reg frequencies = b.buffer("frequencies", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg tokens = b.scalar("tokens", ScalarType.U32);
        Reg i = Flat.thread(b);
        b.when(b.lt(b.div(i, heads * each()), tokens), () -> turn(b, List.of(x, positions, frequencies, out), i));
        return b.build();
    }

    /** Pair, or feature that does not turn, {@code i} of all tokens. */
    private void turn(KernelBuilder b, List<Reg> params, Reg i) {
        Reg head = b.div(i, each()); // of all tokens
        Reg token = b.div(head, heads);
        Reg place = b.rem(i, each());
        Reg from = b.advance(params.get(0), head, 4L * width);
        Reg to = b.advance(params.get(3), head, 4L * width);
        Reg pair = b.lt(place, b.u32(half()));
        Reg first = b.select(pair, rope.interleaved() ? b.mul(place, 2) : place, b.add(place, half()));
        Reg left = b.load(MemoryType.F32, from, first);
        b.when(pair, () -> {
            Reg second = rope.interleaved() ? b.add(first, 1) : b.add(first, half());
            Reg position = b.toF32(b.load(MemoryType.I32, params.get(1), token));
            Reg angle = b.mul(position, b.load(MemoryType.F32, params.get(2), place));
            Reg right = b.load(MemoryType.F32, from, second);
            Reg cos = b.mul(Functions.cos(b, angle), rope.scale());
            Reg sin = b.mul(Functions.sin(b, angle), rope.scale());
            b.store(MemoryType.F32, to, first, b.sub(b.mul(left, cos), b.mul(right, sin)));
            b.store(MemoryType.F32, to, second, b.add(b.mul(right, cos), b.mul(left, sin)));
        }, () -> b.store(MemoryType.F32, to, first, left));
    }

    @Override
    public long items(int count) {
        return count;
    }

    @Override
    public long threads(long items, DeviceLimits limits) {
        return items * heads * each();
    }

    @Override
    public void part(KernelBuilder b, List<Reg> params, Reg first, long items, String prefix) {
        Rowed.spread(b, b.mul(first, heads * each()), items * heads * each(), i -> turn(b, params, i));
    }
}
