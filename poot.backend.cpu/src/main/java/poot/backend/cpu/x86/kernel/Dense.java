package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VADDPS;
import static poot.backend.cpu.x86.Instruction.VEXTRACTI128;
import static poot.backend.cpu.x86.Instruction.VEXTRACTI64X4;
import static poot.backend.cpu.x86.Instruction.VFMADD231PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;
import static poot.backend.cpu.x86.Instruction.VPUNPCKHDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKHQDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKLDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKLQDQ;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.DenseFormat;
import poot.backend.cpu.x86.weight.RowPointers;

/**
 * Products with dense weights, for any number of activation rows: lanes are consecutive elements of k, so that weights are
 * read as they lie. An output has sixteen sums, of the elements 0, 16, 32 …, 1, 17, 33 … and so on, each in the order of k;
 * at the end sum i is added to i + 8, those to i + 4, to i + 2, to i + 1. Vectors of eight lanes take two registers for it.
 *
 * <p>Arguments: sizes, first weight row, staged tile, first output, groups of rows, mask of the last group, next tile. Sizes as in
 * {@link Emitted}; where a row's steps are fewer than k has, the weight row and the tile are where they begin, and sums are
 * kept between the blocks: {@link #BEGUN} and {@link #MORE} say whether there are blocks before and behind.
 */
public final class Dense {
    /** Position among the sizes: the address where sums are kept from one block of k to the next. */
    public static final int SUMS = 24;
    /** Not 0 if sums go on from what is kept. */
    public static final int BEGUN = 32;
    /** Not 0 if they are kept instead of becoming outputs. */
    public static final int MORE = 40;

    private static final int LINE = 64;
    /** Tiles that share in asking for the next weight rows, at most: more do not wait for memory. */
    private static final int SHARING = 4;
    /** From so many tiles on the code is the same for any number of them. */
    public static final int MANY_TILES = SHARING + 1;
    /** Sums of an output, in bytes. */
    private static final int OUTPUT = 4 * DenseFormat.GROUP;

    private static final Register ROWS = Register.RAX;
    private static final Register KEPT = Register.RBX;
    private static final Register RESULTS = Register.RBP;
    private static final Register PARTS = Register.R12;
    private static final Register AT = Register.R13;
    private static final Register LEFT = Frame.LEFT;
    private static final Register AHEAD = Register.R15;

    private final Simd.Code code;
    private final Assembler to;
    private final int width;
    private final DenseFormat format;
    private final int tile;
    private final int tiles;
    private final boolean interleaved;
    /** Whether weights come as fast as they can, from one place after another. */
    private final boolean stream;
    /** Weight rows taken together. */
    private final int rows;
    /** Registers of an output. */
    private final int halves;
    private final int weights;
    private final int x;

    private Dense(Simd simd, DenseFormat format, int tile, int tiles, boolean interleaved) {
        this.code = new Simd.Code(simd);
        this.to = code.to();
        this.width = simd.width();
        this.format = format;
        this.tile = tile;
        this.tiles = tiles;
        this.interleaved = interleaved;
        this.stream = interleaved && tile == 1 && tiles == 1;
        this.rows = rows(simd, tile);
        this.halves = OUTPUT / width;
        this.weights = rows * tile * halves;
        this.x = weights + rows;
    }

    /** Activation rows of the widest tile. */
    public static int tile(Simd simd) {
        return simd.wide() ? 6 : 3;
    }

    private static int rows(Simd simd, int tile) {
        return simd.wide() || tile == 1 ? 4 : 2;
    }

    /**
     * Bytes ahead that one pass of a tile asks for in the {@code lanes} weight rows of each group, where {@code tiles} of them share
     * in that: its part of the next rows, or a little more. 0 where they ask for something else.
     *
     * @param steps steps of a weight row
     */
    public static long share(Simd simd, int tile, int tiles, long steps) {
        return tiles == 1 || tiles > SHARING ? 0 : simd.lanes() / rows(simd, tile) * steps * lines(simd, tile, tiles) * LINE;
    }

    private static int lines(Simd simd, int tile, int tiles) {
        return Math.ceilDiv(rows(simd, tile), tiles);
    }

    /** Bytes of the sums of one group of weight rows and a tile of {@code tile}. */
    public static long sumBytes(Simd simd, int tile) {
        return (long) simd.lanes() * tile * OUTPUT;
    }

    /**
     * y = x · wᵀ for a tile of {@code tile} activation rows.
     *
     * @param tiles       tiles that take the same weights one after another. Where there are several the seventh argument points at
     *     what is asked for ahead: of a few tiles what is each one's {@link #share} of the next weight rows, of many the next tile
     * @param interleaved whether weight rows are, as {@link DenseFormat#interleaving} says
     */
    public static byte[] of(Simd simd, DenseFormat format, int tile, int tiles, boolean interleaved) {
        return new Dense(simd, format, tile, tiles, interleaved).code();
    }

    private byte[] code() {
        int lanes = code.simd().lanes();
        Frame.enter(code, scratch());
        Frame.strides(to);
        to.mov(KEPT, At.of(Frame.SIZES, SUMS));
        if (tiles > 1) {
            Frame.argument(code, AHEAD, scratch());
        }
        if (tiles > SHARING) {
            to.sub(AHEAD, Frame.X);
        }
        Label group = to.here();
        to.mov(RESULTS, Register.RSP);
        int together = interleaved ? DenseFormat.ROWS : rows;
        to.mov(PARTS, lanes / together);
        Label part = to.here();
        for (int row = 0; row < together; row += rows) {
            sums(row, together);
            to.add(RESULTS, 4 * rows);
        }
        to.dec(PARTS);
        to.jnz(part);
        outputs();
        to.add(Frame.OUT, width);
        to.dec(Frame.COUNT);
        to.jnz(group);
        Frame.exit(code, scratch());
        return code.finish();
    }

    /** Vectors of scratch: results of each activation row, of which a store may reach beyond the last. */
    private int scratch() {
        return 2 * tile;
    }

    private At result(Register base, int row) {
        return At.of(base, 2 * row * width);
    }

    private int sum(int row, int weightRow, int half) {
        return (row * rows + weightRow) * halves + half;
    }

    /** The sums of {@link #rows} weight rows of {@code together}, from {@code row} on; KEPT goes on, and behind the last WEIGHTS. */
    private void sums(int row, int together) {
        to.lea(ROWS, At.of(Frame.WEIGHTS, row * LINE));
        if (row + rows == together) {
            to.lea(Frame.WEIGHTS, At.of(Frame.WEIGHTS, RowPointers.STRIDE, together, 0));
        }
        if (tiles == 1 && !stream) {
            to.mov(AHEAD, Frame.WEIGHTS);
        }
        to.mov(AT, Frame.X);
        begin();
        to.mov(LEFT, At.of(Frame.SIZES, Emitted.STEPS));
        Label step = to.here();
        ask();
        for (int group = 0; group < format.layout().order().size(); group++) {
            for (int half = 0; half < halves; half++) {
                multiply(group, half);
            }
        }
        to.add(ROWS, interleaved ? DenseFormat.ROWS * LINE : LINE);
        to.add(AT, format.layout().order().size() * format.layout().groupBytes(tile));
        to.dec(LEFT);
        to.jnz(step);
        end();
    }

    /**
     * Weight rows lie one behind another. Interleaved they are one stream, which a core follows better by itself, if it is not asked
     * to multiply in between. Of the next tile each pass over k asks for another line of a step.
     */
    private void ask() {
        if (tiles > SHARING) {
            to.prefetch(At.of(AT, AHEAD, 1, 0));
            return;
        }
        int lines = stream ? 0 : lines(code.simd(), tile, tiles);
        for (int line = 0; line < lines; line++) {
            to.prefetch(At.of(AHEAD, line * LINE));
        }
        if (lines > 0) {
            to.add(AHEAD, lines * LINE);
        }
    }

    private void begin() {
        Label kept = to.label();
        Label go = to.label();
        to.mov(LEFT, At.of(Frame.SIZES, BEGUN));
        to.cmp(LEFT, 0);
        to.jnz(kept);
        for (int i = 0; i < weights; i++) {
            code.zero(i);
        }
        to.jmp(go);
        to.bind(kept);
        for (int i = 0; i < weights; i++) {
            to.op(VMOVUPS, width, i, Assembler.NONE, At.of(KEPT, i * width));
        }
        to.bind(go);
    }

    private void multiply(int group, int half) {
        int at = group * DenseFormat.GROUP + half * (width / 4);
        for (int row = 0; row < rows; row++) {
            format.load(code, weights + row, weightRow(row, at * format.bytes()));
        }
        for (int row = 0; row < tile; row++) {
            int from = group * format.layout().groupBytes(tile) + row * format.layout().rowBytes() + half * width;
            to.op(VMOVUPS, width, x, Assembler.NONE, At.of(AT, from));
            for (int w = 0; w < rows; w++) {
                code.op(VFMADD231PS, sum(row, w, half), weights + w, x);
            }
        }
    }

    private At weightRow(int row, int at) {
        if (interleaved) {
            return At.of(ROWS, row * LINE + at);
        }
        return switch (row) {
            case 0 -> At.of(ROWS, at);
            case 1, 2 -> At.of(ROWS, RowPointers.STRIDE, row, at);
            default -> At.of(ROWS, RowPointers.STRIDES3, 1, at);
        };
    }

    /** Keeps the sums, or leaves their sums at RESULTS. */
    private void end() {
        Label last = to.label();
        Label done = to.label();
        to.mov(LEFT, At.of(Frame.SIZES, MORE));
        to.cmp(LEFT, 0);
        to.jz(last);
        for (int i = 0; i < weights; i++) {
            to.op(VMOVUPS_STORE, width, i, Assembler.NONE, At.of(KEPT, i * width));
        }
        to.jmp(done);
        to.bind(last);
        for (int row = 0; row < tile; row++) {
            fold(row);
        }
        to.bind(done);
        to.add(KEPT, weights * width);
        if (tiles > SHARING) {
            to.add(AHEAD, LINE);
        }
    }

    /** The outputs of an activation row. */
    private void fold(int row) {
        for (int w = 0; w < rows; w++) {
            int a = sum(row, w, 0);
            if (code.simd().wide()) {
                to.op(VEXTRACTI64X4, width, a, Assembler.NONE, x, 1);
                to.op(VADDPS, 32, a, a, x);
            } else {
                to.op(VADDPS, 32, a, a, sum(row, w, 1));
            }
            to.op(VEXTRACTI128, 32, a, Assembler.NONE, x, 1);
            to.op(VADDPS, 16, a, a, x);
        }
        int a = sum(row, 0, 0);
        int b = rows == 4 ? sum(row, 2, 0) : a;
        pair(a, sum(row, 1, 0));
        if (rows == 4) {
            pair(b, sum(row, 3, 0));
        }
        to.op(VPUNPCKLQDQ, 16, x, a, b);
        to.op(VPUNPCKHQDQ, 16, a, a, b);
        to.op(VADDPS, 16, a, a, x);
        to.op(VMOVUPS_STORE, 16, a, Assembler.NONE, result(RESULTS, row));
    }

    /** a = a0 + a2, b0 + b2, a1 + a3, b1 + b3. */
    private void pair(int a, int b) {
        to.op(VPUNPCKLDQ, 16, x, a, b);
        to.op(VPUNPCKHDQ, 16, a, a, b);
        to.op(VADDPS, 16, a, a, x);
    }

    private void outputs() {
        Label done = to.label();
        to.mov(LEFT, At.of(Frame.SIZES, MORE));
        to.cmp(LEFT, 0);
        to.jnz(done);
        for (int row = 0; row < tile; row++) {
            to.op(VMOVUPS, width, row, Assembler.NONE, result(Register.RSP, row));
        }
        Frame.leave(code, tile, 0);
        to.bind(done);
    }
}
