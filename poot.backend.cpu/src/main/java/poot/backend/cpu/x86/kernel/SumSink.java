package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VCVTDQ2PS;
import static poot.backend.cpu.x86.Instruction.VFMADD231PS;
import static poot.backend.cpu.x86.Instruction.VFNMADD231PS;
import static poot.backend.cpu.x86.Instruction.VMULPS;

import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Sink;

/**
 * Sums of a tile of activation rows, in registers: F32 sums from register 0 on, behind them integer sums of the
 * groups that are open at once. y += scale · xscale · (Σ code · x - offset · Σ x) - minimum · xscale · Σ x, group by group.
 */
final class SumSink implements Sink {
    private final Simd.Code code;
    private final Layout layout;
    private final int rows;
    private final int open;
    private final Register x;
    private final int free;
    private final int product;

    /**
     * @param open    groups whose sums are open at once
     * @param x       points at the step's staged activations
     * @param free    a register that is overwritten
     * @param product another
     */
    SumSink(Simd.Code code, Layout layout, int rows, int open, Register x, int free, int product) {
        this.code = code;
        this.layout = layout;
        this.rows = rows;
        this.open = open;
        this.x = x;
        this.free = free;
        this.product = product;
    }

    private int integers(int group, int row) {
        return rows * (1 + group % open) + row;
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
            code.zero(row);
        }
    }

    @Override
    public void begin(int group) {
        for (int row = 0; row < rows && !layout.floating(); row++) {
            if (layout.minimums()) {
                code.zero(integers(group, row));
            } else {
                code.spread(integers(group, row), tail(group, row, 4));
            }
        }
    }

    @Override
    public void unit(int group, int unit, int weights) {
        for (int row = 0; row < rows; row++) {
            At at = At.of(x, group(group) + row * layout.rowBytes() + 4 * unit);
            if (layout.floating()) {
                code.each(VFMADD231PS, row, weights, at, free);
            } else {
                code.dot(integers(group, row), weights, at, free);
            }
        }
    }

    @Override
    public void end(int group, int scales, int minimums) {
        for (int row = 0; row < rows && !layout.floating(); row++) {
            int sum = integers(group, row);
            code.op(VCVTDQ2PS, sum, 0, sum);
            code.each(VMULPS, product, scales, tail(group, row, 0), free);
            code.op(VFMADD231PS, row, sum, product);
            if (layout.minimums()) {
                code.each(VFNMADD231PS, row, minimums, tail(group, row, 4), free);
            }
        }
    }
}
