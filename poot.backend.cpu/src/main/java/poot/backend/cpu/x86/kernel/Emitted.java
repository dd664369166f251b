package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VMASKMOVPS;
import static poot.backend.cpu.x86.Instruction.VMASKMOVPS_STORE;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntConsumer;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.Interleaving;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Parts;
import poot.backend.cpu.x86.weight.Rows;
import poot.backend.cpu.x86.weight.Sink;
import poot.backend.cpu.x86.weight.StoredRows;

/**
 * The three kernels of a product. All take arguments of 64 bits by the System V convention:
 *
 * <ul>
 *   <li>{@link #rows}: sizes, first weight row, staged tile, first output, groups of rows, mask of the last group
 *   <li>{@link #panel}: sizes, first weight row at its first step, panel, bytes that are wanted next, -, -, steps
 *   <li>{@link #multiply}: sizes, panel, staged tile at the panel's first group, first output, tiles, mask, steps
 * </ul>
 *
 * Sizes are 64-bit numbers: the bytes from a weight row to the next, steps of a row, bytes from an output row to the
 * next, bytes from a staged tile to the next, then where {@link Parts} beside the codes lie. A mask is lanes to be stored: bits
 * with AVX-512, the address of a vector with AVX2.
 */
public final class Emitted {
    /** Positions of the sizes, in bytes; those of {@link Parts} stand behind them. */
    public static final int ROW_BYTES = Parts.ROW_BYTES;
    public static final int STEPS = 8;
    public static final int OUT_BYTES = 16;
    public static final int TILE_BYTES = 24;
    /** Where kernels keep arguments whose registers are needed: behind the sizes of {@link Parts}. */
    private static final int KEPT = Parts.KEPT;
    /** Registers of a group's codes, behind those of sums. */
    private static final int WHOLES = 16;

    private static final List<Register> SAVED =
            List.of(Register.RBX, Register.RBP, Register.R12, Register.R13, Register.R14, Register.R15);
    static final Register SIZES = Register.RDI;
    static final Register WEIGHTS = Register.RSI;
    static final Register X = Register.RDX;
    static final Register OUT = Register.RCX;
    static final Register COUNT = Register.R8;
    private static final Register MASK = Register.R9;
    /** Those that {@link Parts} take. */
    private static final List<Register> NEEDED = List.of(COUNT, MASK);
    private static final Register AT = Register.R13;
    static final Register LEFT = Register.R14;
    private static final Register AHEAD = Register.R15;

    /** The first vector register that {@link Rows} names, of wide vectors. */
    private static final int NAMED = 16;

    private Emitted() {}

    /** Activation rows of the widest tile of {@link #multiply}. */
    public static int tile(Simd simd, Layout layout) {
        if (simd.wide()) {
            return layout.fine() && !simd.vnni() ? 9 : 12;
        }
        return layout.floating() ? 6 : 4;
    }

    /** Activation rows for which weights are multiplied as they are decoded: as many as there are registers for sums. */
    public static int few(Simd simd, StoredRows stored) {
        boolean floating = stored.layout().floating();
        if (simd.wide() && floating) {
            return 4;
        }
        boolean two = stored.layout().fine() && !simd.vnni();
        return (simd.wide() ? 16 : 6) / (floating ? 2 : 1 + (two ? 2 : 1) * stored.open());
    }

    /** How {@code m} activation rows are staged for a format: as bytes where few rows' sums of both have registers. */
    public static Layout layout(Simd simd, StoredRows stored, int m) {
        boolean bytes = simd.vnni() && stored.fours() && m * (1 + 2 * stored.open()) <= 16;
        return bytes ? stored.layout().bytes() : layout(simd, stored);
    }

    /** How many activation rows are staged for a format, and how its panels lie. */
    public static Layout layout(Simd simd, StoredRows stored) {
        return simd.vnni() && stored.layout().fine() ? stored.layout().bytes() : stored.layout();
    }

    // ---- weights as stored, few activation rows ----

    /**
     * y = x · wᵀ for a tile of {@code tile} activation rows and groups of weight rows as stored.
     *
     * @param layout how x is staged: one of {@link #layout}
     * @param more   whether sums go on from those in y: these are further steps of a longer row
     * @param order  how the rows of a group are interleaved, if they are
     */
    public static byte[] rows(
            Simd simd, StoredRows stored, Layout layout, int tile, boolean more, Optional<Interleaving> order) {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        Rows rows = new Rows(code, order);
        SumSink sums = sums(rows, stored, layout, tile);
        enter(code, stored.scratch());
        strides(to);
        hold(rows, stored, sums.registers(), plan -> sums(plan, stored, layout, tile));
        keep(to, stored);
        Label group = to.here();
        start(code, sums, tile, more);
        stored.begin(rows, WEIGHTS);
        to.mov(AHEAD, Register.RAX);
        rows.next(AHEAD);
        to.mov(AT, X);
        to.mov(LEFT, At.of(SIZES, STEPS));
        Label step = to.here();
        rows.ahead(AHEAD, tile == 1 && order.isPresent() ? 0 : simd.lanes() * stored.stepBytes());
        stored.step(rows, sums);
        stored.advance(rows);
        to.add(AT, layout.order().size() * layout.groupBytes(tile));
        to.dec(LEFT);
        to.jnz(step);
        sums.finish();
        take(to, stored);
        leave(code, tile, 0);
        stored.next(rows, WEIGHTS);
        to.add(OUT, simd.width());
        to.dec(COUNT);
        keep(to, stored);
        to.jnz(group);
        exit(code, stored.scratch());
        return code.finish();
    }

    private static SumSink sums(Rows rows, StoredRows stored, Layout layout, int tile) {
        boolean wide = rows.code().simd().wide();
        return new SumSink(
                rows.code(), layout, tile, stored.open(), AT, rows.free, wide ? 30 : rows.work, wide && layout.floating());
    }

    static void strides(Assembler to) {
        to.mov(Rows.STRIDE, At.of(SIZES, ROW_BYTES));
        to.lea(Rows.STRIDES3, At.of(Rows.STRIDE, Rows.STRIDE, 2, 0));
    }

    /** Keeps the arguments whose registers steps need; flags stay. */
    private static void keep(Assembler to, StoredRows stored) {
        for (int i = 0; i < NEEDED.size() && stored.apart(); i++) {
            to.store(At.of(SIZES, KEPT + 8 * i), NEEDED.get(i));
        }
    }

    private static void take(Assembler to, StoredRows stored) {
        for (int i = 0; i < NEEDED.size() && stored.apart(); i++) {
            to.mov(NEEDED.get(i), At.of(SIZES, KEPT + 8 * i));
        }
    }

    /** Sums begin at 0, or each goes on from that at OUT: of the last of COUNT only the lanes of MASK are read. */
    private static void start(Simd.Code code, SumSink sums, int tile, boolean more) {
        sums.clear();
        if (!more) {
            return;
        }
        Assembler to = code.to();
        Label whole = to.label();
        Label done = to.label();
        to.mov(LEFT, OUT);
        to.cmp(COUNT, 1);
        to.jnz(whole);
        int mask = mask(code);
        for (int row = 0; row < tile; row++) {
            if (code.simd().wide()) {
                to.masked(VMOVUPS, 64, row, At.of(LEFT, 0), 1);
            } else {
                to.op(VMASKMOVPS, 32, row, mask, At.of(LEFT, 0));
            }
            to.add(LEFT, At.of(SIZES, OUT_BYTES));
        }
        to.jmp(done);
        to.bind(whole);
        for (int row = 0; row < tile; row++) {
            to.op(VMOVUPS, code.simd().width(), row, Assembler.NONE, At.of(LEFT, 0));
            to.add(LEFT, At.of(SIZES, OUT_BYTES));
        }
        to.bind(done);
    }

    /** Stores {@code tile} sums from register {@code first} at OUT; of the last of COUNT only the lanes of MASK. */
    static void leave(Simd.Code code, int tile, int first) {
        Assembler to = code.to();
        Label whole = to.label();
        Label done = to.label();
        to.mov(LEFT, OUT);
        to.cmp(COUNT, 1);
        to.jnz(whole);
        masked(code, tile, first, mask(code));
        to.jmp(done);
        to.bind(whole);
        for (int row = 0; row < tile; row++) {
            to.op(VMOVUPS_STORE, code.simd().width(), first + row, Assembler.NONE, At.of(LEFT, 0));
            to.add(LEFT, At.of(SIZES, OUT_BYTES));
        }
        to.bind(done);
    }

    /** Takes the mask, into k1 or the register returned. */
    private static int mask(Simd.Code code) {
        int register = code.simd().registers() - 1;
        if (code.simd().wide()) {
            code.to().kmovw(1, MASK);
        } else {
            code.to().op(VMOVUPS, 32, register, Assembler.NONE, At.of(MASK, 0));
        }
        return register;
    }

    private static void masked(Simd.Code code, int tile, int first, int mask) {
        Assembler to = code.to();
        for (int row = 0; row < tile; row++) {
            if (code.simd().wide()) {
                to.masked(VMOVUPS_STORE, 64, first + row, At.of(LEFT, 0), 1);
            } else {
                to.op(VMASKMOVPS_STORE, 32, first + row, mask, At.of(LEFT, 0));
            }
            to.add(LEFT, At.of(SIZES, OUT_BYTES));
        }
    }

    /**
     * Wide vectors of integers leave registers that neither rows nor sinks name, from {@code first} to 15. They hold the constants
     * and the vectors of the scratch that a step reads most: a step is written once only to count these reads.
     */
    private static void hold(Rows rows, StoredRows stored, int first, Function<Rows, Sink> sink) {
        if (!rows.code().simd().wide() || stored.layout().floating()) {
            return;
        }
        Rows plan = rows.again();
        stored.begin(plan, WEIGHTS);
        stored.step(plan, sink.apply(plan));
        record Held(int uses, IntConsumer in) {}
        List<Held> wanted = new ArrayList<>();
        plan.code().uses().forEach((value, uses) -> wanted.add(new Held(uses, in -> rows.code().hold(value, in))));
        plan.scratch().taken().forEach((vector, uses) -> wanted.add(new Held(uses, in -> rows.scratch().hold(vector, in))));
        wanted.sort(Comparator.comparingInt(Held::uses).reversed());
        for (int i = 0; first + i < NAMED && i < wanted.size(); i++) {
            wanted.get(i).in().accept(first + i);
        }
    }

    // ---- panels, many activation rows ----

    /** Decodes steps of one group of weight rows into a panel. */
    public static byte[] panel(Simd simd, StoredRows stored, Optional<Interleaving> order) {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        Rows rows = new Rows(code, order);
        Layout layout = layout(simd, stored);
        PanelSink panel = new PanelSink(code, layout, AT);
        enter(code, stored.scratch());
        strides(to);
        hold(rows, stored, 0, plan -> new PanelSink(plan.code(), layout, AT));
        to.mov(AT, X);
        to.mov(AHEAD, OUT);
        stored.begin(rows, WEIGHTS);
        argument(code, LEFT, stored.scratch());
        Label step = to.here();
        rows.ahead(AHEAD, simd.lanes() * stored.stepBytes());
        stored.step(rows, panel);
        stored.advance(rows);
        to.add(AT, layout.order().size() * layout.panelBytes(simd.width()));
        to.dec(LEFT);
        to.jnz(step);
        exit(code, stored.scratch());
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
        enter(code, 0);
        Label next = to.here();
        sums.clear();
        to.mov(AT, X);
        to.mov(AHEAD, WEIGHTS);
        argument(code, LEFT, 0);
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
        to.add(X, At.of(SIZES, TILE_BYTES));
        to.dec(COUNT);
        to.jnz(next);
        exit(code, 0);
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
        masked(code, tile, 0, mask(code));
        to.mov(OUT, LEFT);
    }

    // ---- frame ----

    private static int frame(int scratch, Simd.Code code) {
        return scratch == 0 ? 0 : (scratch + 2) * code.simd().width();
    }

    static void enter(Simd.Code code, int scratch) {
        Assembler to = code.to();
        SAVED.forEach(to::push);
        if (scratch > 0) {
            int bytes = frame(scratch, code);
            to.mov(Register.RAX, Register.RSP);
            to.sub(Register.RSP, bytes);
            to.and(Register.RSP, -code.simd().width());
            to.store(At.of(Register.RSP, scratch * code.simd().width()), Register.RAX);
        }
    }

    /** to = argument seven. */
    static void argument(Simd.Code code, Register to, int scratch) {
        Register stack = Register.RSP;
        if (scratch > 0) {
            code.to().mov(to, At.of(Register.RSP, scratch * code.simd().width()));
            stack = to;
        }
        code.to().mov(to, At.of(stack, 8 * (SAVED.size() + 1)));
    }

    static void exit(Simd.Code code, int scratch) {
        Assembler to = code.to();
        if (scratch > 0) {
            to.mov(Register.RSP, At.of(Register.RSP, scratch * code.simd().width()));
        }
        SAVED.reversed().forEach(to::pop);
        to.vzeroupper();
        to.ret();
    }
}
