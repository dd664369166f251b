package poot.core.kernel.generate.select;

import java.util.ArrayList;
import java.util.List;
import poot.api.graph.ElementType;
import poot.api.graph.Op.ReduceKind;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/**
 * One of the kernels of {@link Scan}: a workgroup for each tile of each line.
 *
 * <p>Parameters: x [lines of n elements, {@code inner} apart]; where {@code totals} is what is computed, totals
 * [lines, tiles]; else, of several tiles, these to be read, and out as x; lines.
 */
record ScanTiles(Scan of, boolean totals) implements Generator {
    Grid grid(DeviceLimits limits) {
        Grid flat = new Flat(of.lines()).workgroupGrid(limits);
        return new Grid(flat.x(), flat.y(), of.tiles(limits));
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder(totals ? "scan_totals" : "scan", of.workgroup(limits), limits.subgroup());
        new Code(b, this, of.tiles(limits)).write();
        return b.build();
    }

    /** What is scanned, in registers. */
    private static final class Code {
        private final KernelBuilder b;
        private final Scan of;
        private final boolean totals;
        private final int tiles;
        private final MemoryType memory;
        private final Reg x;
        private final Reg carry;
        private final Reg out;
        private final Reg lines;
        private final SharedArray lanes;
        private final SharedArray subgroups;

        Code(KernelBuilder b, ScanTiles scan, int tiles) {
            this.b = b;
            this.of = scan.of;
            this.totals = scan.totals;
            this.tiles = tiles;
            memory = Elements.memory(of.element() == ElementType.U32 ? ElementType.I32 : of.element());
            x = b.buffer("x", Access.READ);
            carry = totals || tiles > 1 ? b.buffer("totals", totals ? Access.WRITE : Access.READ) : null;
            out = totals ? null : b.buffer("out", Access.WRITE);
            lines = b.scalar("lines", ScalarType.U32);
            lanes = b.shared("lanes", memory, b.workgroupSize());
            subgroups = b.shared("subgroups", memory, b.subgroups());
        }

        void write() {
            Reg line = Flat.workgroup(b);
            b.when(b.lt(line, lines), () -> line(line));
        }

        private void line(Reg line) {
            long stride = (long) of.n() * of.inner() * memory.bytes();
            Reg outer = b.div(line, of.inner());
            Reg inside = b.rem(line, of.inner());
            Reg first = b.mul(b.mad(b.workgroupZ(), b.workgroupSize(), b.thread()), Scan.RUN);
            List<Reg> run = new ArrayList<>(); // the fold up to each element of the thread's, its own included
            Reg sum = start();
            for (int i = 0; i < Scan.RUN; i++) {
                Reg at = b.add(first, i);
                sum = join(sum, b.either(b.lt(at, b.u32(of.n())), () -> b.load(memory, b.advance(x, outer, stride),
                        b.mad(at, of.inner(), inside)), this::start));
                run.add(sum);
            }
            b.store(lanes, b.thread(), sum);
            b.barrier();
            Reg begin = b.mul(b.subgroup(), b.subgroupSize());
            Reg lane = b.loop(begin, b.thread(), 1, start(), (i, s) -> join(s, b.load(lanes, i)));
            Reg all = join(lane, sum);
            b.when(b.eq(b.lane(), b.u32(b.subgroupSize() - 1)), () -> b.store(subgroups, b.subgroup(), all));
            b.barrier();
            if (totals) {
                b.when(b.eq(b.thread(), 0), () -> {
                    Reg total = b.loop(b.u32(0), b.u32(b.subgroups()), 1, start(), (i, s) -> join(s, b.load(subgroups, i)));
                    b.store(memory, carry, b.mad(line, tiles, b.workgroupZ()), total);
                });
                return;
            }
            Reg subgroup = b.loop(b.u32(0), b.subgroup(), 1, start(), (i, s) -> join(s, b.load(subgroups, i)));
            Reg tile = tiles == 1 ? start() : b.loop(b.u32(0), b.workgroupZ(), 1, start(),
                    (i, s) -> join(s, b.load(memory, carry, b.mad(line, tiles, i))));
            for (int i = 0; i < Scan.RUN; i++) {
                Reg at = b.add(first, i);
                Reg own = of.exclusive() ? i == 0 ? start() : run.get(i - 1) : run.get(i);
                b.when(b.lt(at, b.u32(of.n())), () -> b.store(memory, b.advance(out, outer, stride), b.mad(at, of.inner(), inside),
                        join(tile, join(subgroup, join(lane, own)))));
            }
        }

        private Reg start() {
            boolean real = memory == MemoryType.F32;
            return switch (of.kind()) {
                case SUM -> real ? b.f32(0) : b.i32(0);
                case PROD -> real ? b.f32(1) : b.i32(1);
                case MAX -> real ? b.f32(Float.NEGATIVE_INFINITY) : b.i32(Integer.MIN_VALUE);
                case MIN -> real ? b.f32(Float.POSITIVE_INFINITY) : b.i32(Integer.MAX_VALUE);
            };
        }

        private Reg join(Reg before, Reg next) {
            return switch (of.kind()) {
                case SUM -> b.add(before, next);
                case PROD -> b.mul(before, next);
                case MAX -> b.max(before, next);
                case MIN -> b.min(before, next);
            };
        }
    }
}
