package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VADDPS;
import static poot.backend.cpu.x86.Instruction.VCVTDQ2PS;
import static poot.backend.cpu.x86.Instruction.VFMADD231PS;
import static poot.backend.cpu.x86.Instruction.VFNMADD231PS;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPADDD;
import static poot.backend.cpu.x86.Instruction.VPBROADCASTD;
import static poot.backend.cpu.x86.Instruction.VPDPBUSD;
import static poot.backend.cpu.x86.Instruction.VPSLLD;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Sink;

/**
 * Sums of a tile of activation rows, in registers. Of integers: y += scale · xscale · (Σ code · x - offset · Σ x) - minimum ·
 * xscale · Σ x, group by group. Of F32: even units and odd ones apart, added at the end. One sum waits four cycles for each
 * of its terms, so that there are two wherever one row would have one: integer sums are exact, however they are split. Those
 * of fine integers are exact only in the end, modulo 2³², which is as good.
 */
final class SumSink implements Sink {
    private static final int CHAINS = 2;
    /** Bytes of a fine integer. */
    private static final int BYTES = 3;
    /** Bits of the lower part of a fine integer that is a pair. */
    private static final int LOWER = 15;
    /** Registers for sums where codes are in wholes. */
    private static final int REGISTERS = 16;
    /** F32 sums beyond the first four of a code that needs registers 4 to 24 for weights. */
    private static final int[] SCATTERED = {25, 26, 28, 29};

    private final Simd.Code code;
    private final Layout layout;
    private final int rows;
    private final int open;
    private final Register x;
    private final int free;
    private final int product;
    private final int chains;
    private final boolean scattered;

    /**
     * @param open      groups whose sums are open at once
     * @param x         points at the step's staged activations
     * @param free      a register that is overwritten
     * @param product   another
     * @param scattered whether registers 4 to 24 are taken
     */
    SumSink(Simd.Code code, Layout layout, int rows, int open, Register x, int free, int product, boolean scattered) {
        this.code = code;
        this.layout = layout;
        this.rows = rows;
        this.open = open;
        this.x = x;
        this.free = free;
        this.product = product;
        this.chains = layout.floating() || layout.split() || layout.fine() || rows == 1 ? CHAINS : 1;
        this.scattered = scattered;
    }

    /** The register of a row's F32 sum; only F32 units have a second. */
    private int sum(int row, int chain) {
        int index = chain * rows + row;
        return scattered && index >= 4 ? SCATTERED[index - 4] : index;
    }

    private int integers(int group, int row, int chain) {
        return rows * (1 + group % open * chains + chain) + row;
    }

    /** Registers of integer formats' sums, from 0 on. */
    int registers() {
        return layout.wholes() ? REGISTERS : rows * (1 + open * chains);
    }

    private int group(int group) {
        return group * layout.groupBytes(rows);
    }

    private At tail(int group, int row, int at) {
        return At.of(x, group(group) + rows * layout.rowBytes() + row * Layout.TAIL + at);
    }

    /** All F32 sums are 0. */
    void clear() {
        for (int row = 0; row < rows; row++) {
            code.zero(sum(row, 0));
            if (layout.floating()) {
                code.zero(sum(row, 1));
            }
        }
    }

    /** Row i's sum is in register i. */
    void finish() {
        for (int row = 0; row < rows && layout.floating(); row++) {
            code.op(VADDPS, row, sum(row, 0), sum(row, 1));
        }
    }

    @Override
    public void begin(int group) {
        for (int row = 0; row < rows && !layout.floating(); row++) {
            for (int chain = 0; chain < chains; chain++) {
                if (layout.minimums() || chain > 0) {
                    code.zero(integers(group, row, chain));
                } else {
                    code.spread(integers(group, row, chain), tail(group, row, 4));
                }
            }
        }
    }

    @Override
    public void unit(int group, int unit, int weights) {
        for (int row = 0; row < rows; row++) {
            At at = At.of(x, group(group) + row * layout.rowBytes() + 4 * unit);
            if (layout.floating()) {
                code.each(VFMADD231PS, sum(row, unit % chains), weights, at, free);
            } else if (layout.fine()) {
                code.dot(integers(group, row, 0), weights, fine(group, row, 8 * unit), free);
                code.dot(integers(group, row, 1), weights, fine(group, row, 8 * unit + 4), free);
            } else {
                code.dot(integers(group, row, unit % chains), weights, at, free);
            }
        }
    }

    private At fine(int group, int row, int at) {
        return At.of(x, group(group) + row * layout.rowBytes() + at);
    }

    @Override
    public boolean wholes() {
        return layout.wholes();
    }

    @Override
    public void whole(int group, int first, int scales) {
        if (rows * (1 + BYTES) <= REGISTERS) {
            apart(group, first);
            for (int row = 0; row < rows; row++) {
                add(group, row, integers(group, row, 0), scales);
            }
            return;
        }
        int together = Math.min(rows, REGISTERS - rows);
        for (int row = 0; row < rows; row += together) {
            int end = Math.min(rows, row + together);
            joined(group, first, row, end);
            for (int i = row; i < end; i++) {
                add(group, i, rows + i - row, scales);
            }
        }
    }

    /** A sum for each byte of x, joined in chain 0. */
    private void apart(int group, int first) {
        for (int row = 0; row < rows; row++) {
            code.spread(integers(group, row, 0), tail(group, row, 4));
            code.zero(integers(group, row, 1));
            code.zero(integers(group, row, 2));
        }
        for (int i = 0; i < layout.vectors(); i++) {
            for (int row = 0; row < rows; row++) {
                for (int of = 0; of < BYTES; of++) {
                    each(integers(group, row, of), first + i, fine(group, row, i, of));
                }
            }
        }
        for (int row = 0; row < rows; row++) {
            for (int of = BYTES - 1; of > 0; of--) {
                up(integers(group, row, of), 8);
                code.op(VPADDD, integers(group, row, of - 1), integers(group, row, of - 1), integers(group, row, of));
            }
        }
    }

    /** One sum for all bytes of a row, from register {@link #rows} on: it goes up as the next lower byte follows. */
    private void joined(int group, int first, int row, int end) {
        for (int of = BYTES - 1; of >= 0; of--) {
            for (int i = row; i < end; i++) {
                if (of == BYTES - 1) {
                    code.zero(rows + i - row);
                } else {
                    up(rows + i - row, 8);
                }
            }
            for (int i = 0; i < layout.vectors(); i++) {
                for (int j = row; j < end; j++) {
                    each(rows + j - row, first + i, fine(group, j, i, of));
                }
            }
        }
        for (int i = row; i < end; i++) {
            code.each(VPADDD, rows + i - row, rows + i - row, tail(group, i, 4), free);
        }
    }

    /** Bytes {@code of}, 0 the lowest, of four elements of x. */
    private At fine(int group, int row, int four, int of) {
        return fine(group, row, 16 * four + 4 * (BYTES - 1 - of));
    }

    private void each(int sum, int codes, At at) {
        code.to().broadcast(VPDPBUSD, code.simd().width(), sum, codes, at);
    }

    private void up(int register, int bits) {
        code.to().shift(VPSLLD, code.simd().width(), 6, register, register, bits);
    }

    /** A group's integers into the row's sum. */
    private void add(int group, int row, int integers, int scales) {
        code.op(VCVTDQ2PS, integers, 0, integers);
        code.each(VMULPS, product, scales, tail(group, row, 0), free);
        code.op(VFMADD231PS, sum(row, 0), integers, product);
    }

    @Override
    public boolean fours() {
        return layout.split();
    }

    /** The upper bytes of x are summed in one chain, the lower in the other; of each product the first factor has no sign. */
    @Override
    public void four(int group, int index, int codes) {
        int width = code.simd().width();
        for (int row = 0; row < rows; row++) {
            int at = group(group) + row * layout.rowBytes() + 8 * index;
            code.to().broadcast(VPDPBUSD, width, integers(group, row, 1), codes, At.of(x, at));
            code.to().op(VPBROADCASTD, width, free, Assembler.NONE, At.of(x, at + 4));
            code.op(VPDPBUSD, integers(group, row, 0), free, codes);
        }
    }

    @Override
    public void end(int group, int scales, int minimums) {
        for (int row = 0; row < rows && !layout.floating(); row++) {
            int integers = integers(group, row, 0);
            if (layout.split() || layout.fine()) {
                up(integers(group, row, 1), layout.fine() ? LOWER : 8);
            }
            if (chains > 1) {
                code.op(VPADDD, integers, integers, integers(group, row, 1));
            }
            add(group, row, integers, scales);
            if (layout.minimums()) {
                code.each(VFNMADD231PS, sum(row, 0), minimums, tail(group, row, 4), free);
            }
        }
    }
}
