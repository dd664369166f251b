package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.kernel.Frame.AHEAD;
import static poot.backend.cpu.x86.kernel.Frame.AT;
import static poot.backend.cpu.x86.kernel.Frame.COUNT;
import static poot.backend.cpu.x86.kernel.Frame.LEFT;
import static poot.backend.cpu.x86.kernel.Frame.OUT;
import static poot.backend.cpu.x86.kernel.Frame.SIZES;
import static poot.backend.cpu.x86.kernel.Frame.WEIGHTS;
import static poot.backend.cpu.x86.kernel.Frame.X;

import java.util.Optional;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.Interleaving;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Rows;
import poot.backend.cpu.x86.weight.StoredRows;

/** Many activation rows: weights are decoded once into panels, which are multiplied with one tile of x after another. */
public final class Panels {
    /** Registers of a group's codes, behind those of sums. */
    private static final int WHOLES = 16;

    private Panels() {}

    /** Decodes steps of one group of weight rows into a panel. */
    public static byte[] decode(Simd simd, StoredRows stored, Optional<Interleaving> order) {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        Rows rows = new Rows(code, order);
        Layout layout = Emitted.layout(simd, stored);
        PanelSink panel = new PanelSink(code, layout, AT);
        Frame.enter(code, stored.scratch());
        Frame.strides(to);
        Hold.mostRead(rows, stored, 0, plan -> new PanelSink(plan.code(), layout, AT));
        to.mov(AT, X);
        to.mov(AHEAD, OUT);
        stored.begin(rows, WEIGHTS);
        Frame.argument(code, LEFT, stored.scratch());
        Label step = to.here();
        rows.ahead(AHEAD, simd.lanes() * stored.stepBytes());
        stored.step(rows, panel);
        stored.advance(rows);
        to.add(AT, layout.order().size() * layout.panelBytes(simd.width()));
        to.dec(LEFT);
        to.jnz(step);
        Frame.exit(code, stored.scratch());
        return code.finish();
    }

    /** y = x · panel for tiles of {@code tile} activation rows. */
    public static byte[] multiply(Simd simd, Layout layout, int tile) {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        boolean wide = simd.wide();
        int weights = wide ? 28 : 12;
        int free = wide ? 29 : 13;
        int product = wide ? 30 : 14;
        SumSink sums = new SumSink(code, layout, tile, 1, AT, free, product, false);
        Frame.enter(code, 0);
        Label next = to.here();
        sums.clear();
        to.mov(AT, X);
        to.mov(AHEAD, WEIGHTS);
        Frame.argument(code, LEFT, 0);
        Label step = to.here();
        for (int i = 0; i < layout.order().size(); i++) {
            group(code, layout, sums, layout.order().get(i), i * layout.panelBytes(simd.width()), weights);
        }
        to.add(AT, layout.order().size() * layout.groupBytes(tile));
        to.add(AHEAD, layout.order().size() * layout.panelBytes(simd.width()));
        to.dec(LEFT);
        to.jnz(step);
        sums.finish();
        end(code, tile);
        to.add(X, At.of(SIZES, Emitted.TILE_BYTES));
        to.dec(COUNT);
        to.jnz(next);
        Frame.exit(code, 0);
        return code.finish();
    }

    private static void group(Simd.Code code, Layout layout, SumSink sums, int group, int at, int weights) {
        int width = code.simd().width();
        if (layout.wholes()) {
            whole(code, layout, sums, group, at, weights);
            return;
        }
        sums.begin(group);
        for (int unit = 0; unit < layout.vectors(); unit++) {
            code.to().op(VMOVUPS, width, weights, Assembler.NONE, At.of(AHEAD, at + unit * width));
            sums.unit(group, unit, weights);
        }
        if (!layout.floating()) {
            int scales = weights;
            int minimums = code.simd().registers() - 1;
            code.to().op(VMOVUPS, width, scales, Assembler.NONE, At.of(AHEAD, at + layout.vectors() * width));
            if (layout.minimums()) {
                code.to().op(VMOVUPS, width, minimums, Assembler.NONE, At.of(AHEAD, at + (layout.vectors() + 1) * width));
            }
            sums.end(group, scales, minimums);
        }
    }

    private static void whole(Simd.Code code, Layout layout, SumSink sums, int group, int at, int scales) {
        int width = code.simd().width();
        for (int i = 0; i < layout.vectors(); i++) {
            code.to().op(VMOVUPS, width, WHOLES + i, Assembler.NONE, At.of(AHEAD, at + i * width));
        }
        code.to().op(VMOVUPS, width, scales, Assembler.NONE, At.of(AHEAD, at + layout.vectors() * width));
        sums.whole(group, WHOLES, scales);
    }

    /** Stores the lanes of MASK; OUT goes on by a tile. */
    private static void end(Simd.Code code, int tile) {
        Assembler to = code.to();
        to.mov(LEFT, OUT);
        Frame.masked(code, tile, 0, Frame.mask(code));
        to.mov(OUT, LEFT);
    }
}
