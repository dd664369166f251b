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
 * of its terms, so that there are two wherever one row would have one: integer sums are exact, however they are split.
 */
final class SumSink implements Sink {
    private static final int CHAINS = 2;
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
        this.chains = layout.floating() || layout.split() || rows == 1 ? CHAINS : 1;
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
        return rows * (1 + open * chains);
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
            } else {
                code.dot(integers(group, row, unit % chains), weights, at, free);
            }
        }
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
            if (layout.split()) {
                code.to().shift(VPSLLD, code.simd().width(), 6, integers(group, row, 1), integers(group, row, 1), 8);
            }
            if (chains > 1) {
                code.op(VPADDD, integers, integers, integers(group, row, 1));
            }
            code.op(VCVTDQ2PS, integers, 0, integers);
            code.each(VMULPS, product, scales, tail(group, row, 0), free);
            code.op(VFMADD231PS, sum(row, 0), integers, product);
            if (layout.minimums()) {
                code.each(VFNMADD231PS, sum(row, 0), minimums, tail(group, row, 4), free);
            }
        }
    }
}
