package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Rows;
import poot.backend.cpu.x86.weight.StoredRows;

/**
 * The three kernels of a product with packed weights. All take arguments of 64 bits by the System V convention:
 *
 * <ul>
 *   <li>{@link #rows}: sizes, first weight row, staged tile, first output, groups of rows, mask of the last group
 *   <li>{@link #panel}: sizes, first weight row at its first step, panel, bytes that are wanted next, -, -, steps
 *   <li>{@link #multiply}: sizes, panel, staged tile at the panel's first group, first output, tiles, mask, steps
 * </ul>
 *
 * Sizes are 64-bit numbers: the bytes from a weight row to the next, steps of a row, bytes from an output row to the
 * next, bytes from a staged tile to the next. A mask is lanes to be stored: bits with AVX-512, the address of a vector
 * with AVX2.
 */
public final class Emitted {
    /** Positions of the sizes, in bytes. */
    public static final int ROW_BYTES = 0;
    public static final int STEPS = 8;
    public static final int OUT_BYTES = Frame.OUT_BYTES;
    public static final int TILE_BYTES = 24;

    private static final Register SIZES = Frame.SIZES;
    private static final Register WEIGHTS = Frame.WEIGHTS;
    private static final Register X = Frame.X;
    private static final Register OUT = Frame.OUT;
    private static final Register COUNT = Frame.COUNT;
    private static final Register AT = Register.R13;
    private static final Register LEFT = Frame.LEFT;
    private static final Register AHEAD = Register.R15;

    private Emitted() {}

    /** Activation rows of the widest tile of {@link #multiply}. */
    public static int tile(Simd simd) {
        return simd.wide() ? 12 : 4;
    }

    /** Activation rows for which weights are multiplied as they are decoded: as many as there are registers for sums. */
    public static int few(Simd simd, StoredRows stored) {
        return (simd.wide() ? 16 : 6) / (1 + stored.open());
    }

    /** How {@code m} activation rows are staged for a format: as bytes where few rows' sums of both have registers. */
    public static Layout layout(Simd simd, StoredRows stored, int m) {
        boolean bytes = simd.vnni() && stored.fours() && m * (1 + 2 * stored.open()) <= 16;
        return bytes ? stored.layout().bytes() : stored.layout();
    }

    // ---- weights as stored, few activation rows ----

    /** y = x · wᵀ for a tile of {@code tile} activation rows and groups of weight rows as stored. */
    public static byte[] rows(Simd simd, StoredRows stored, int tile) {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        Rows rows = new Rows(code);
        Layout layout = layout(simd, stored, tile);
        SumSink sums = new SumSink(code, layout, tile, stored.open(), AT, rows.free, simd.wide() ? 30 : rows.work);
        Frame.enter(code, stored.scratch());
        Frame.strides(to);
        Label group = to.here();
        rows.point(WEIGHTS);
        to.lea(AHEAD, At.of(Register.RAX, Rows.STRIDE, 8, 0));
        if (simd.lanes() == 16) {
            to.lea(AHEAD, At.of(AHEAD, Rows.STRIDE, 8, 0));
        }
        to.mov(AT, X);
        to.mov(LEFT, At.of(SIZES, STEPS));
        sums.clear();
        Label step = to.here();
        rows.ahead(AHEAD, simd.lanes() * stored.stepBytes());
        stored.step(rows, sums);
        rows.advance(stored.stepBytes());
        to.add(AT, layout.order().size() * layout.groupBytes(tile));
        to.dec(LEFT);
        to.jnz(step);
        Frame.leave(code, tile, 0);
        next(code);
        to.add(OUT, simd.width());
        to.dec(COUNT);
        to.jnz(group);
        Frame.exit(code, stored.scratch());
        return code.finish();
    }

    /** WEIGHTS goes to the next group of rows. */
    private static void next(Simd.Code code) {
        Assembler to = code.to();
        to.lea(WEIGHTS, At.of(WEIGHTS, Rows.STRIDE, 8, 0));
        if (code.simd().lanes() == 16) {
            to.lea(WEIGHTS, At.of(WEIGHTS, Rows.STRIDE, 8, 0));
        }
    }

    // ---- panels, many activation rows ----

    /** Decodes steps of one group of weight rows into a panel. */
    public static byte[] panel(Simd simd, StoredRows stored) {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        Rows rows = new Rows(code);
        Layout layout = stored.layout();
        PanelSink panel = new PanelSink(code, layout, AT);
        Frame.enter(code, stored.scratch());
        Frame.strides(to);
        rows.point(WEIGHTS);
        to.mov(AT, X);
        to.mov(AHEAD, OUT);
        Frame.argument(code, LEFT, stored.scratch());
        Label step = to.here();
        rows.ahead(AHEAD, simd.lanes() * stored.stepBytes());
        stored.step(rows, panel);
        rows.advance(stored.stepBytes());
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
        SumSink sums = new SumSink(code, layout, tile, 1, AT, free, product);
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
        end(code, tile);
        to.add(X, At.of(SIZES, TILE_BYTES));
        to.dec(COUNT);
        to.jnz(next);
        Frame.exit(code, 0);
        return code.finish();
    }

    private static void group(Simd.Code code, Layout layout, SumSink sums, int group, int at, int weights) {
        int width = code.simd().width();
        sums.begin(group);
        for (int unit = 0; unit < layout.units(); unit++) {
            code.to().op(VMOVUPS, width, weights, Assembler.NONE, At.of(AHEAD, at + unit * width));
            sums.unit(group, unit, weights);
        }
        int minimums = code.simd().registers() - 1;
        code.to().op(VMOVUPS, width, weights, Assembler.NONE, At.of(AHEAD, at + layout.units() * width));
        if (layout.minimums()) {
            code.to().op(VMOVUPS, width, minimums, Assembler.NONE, At.of(AHEAD, at + (layout.units() + 1) * width));
        }
        sums.end(group, weights, minimums);
    }

    /** Stores the lanes of MASK; OUT goes on by a tile. */
    private static void end(Simd.Code code, int tile) {
        Assembler to = code.to();
        to.mov(LEFT, OUT);
        Frame.masked(code, tile, 0, Frame.mask(code));
        to.mov(OUT, LEFT);
    }
}
