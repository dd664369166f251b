package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Sink;

/** Leaves decoded weights in a panel, groups in the order in which they are summed. */
final class PanelSink implements Sink {
    private final Simd.Code code;
    private final Layout layout;
    private final Register panel;

    PanelSink(Simd.Code code, Layout layout, Register panel) {
        this.code = code;
        this.layout = layout;
        this.panel = panel;
    }

    private void put(int group, int vector, int register) {
        int width = code.simd().width();
        int at = layout.order().indexOf(group) * layout.panelBytes(width) + vector * width;
        code.to().op(VMOVUPS_STORE, width, register, Assembler.NONE, At.of(panel, at));
    }

    @Override
    public void begin(int group) {}

    @Override
    public void unit(int group, int unit, int weights) {
        put(group, unit, weights);
    }

    @Override
    public boolean wholes() {
        return layout.wholes();
    }

    @Override
    public void whole(int group, int first, int scales) {
        for (int i = 0; i < layout.vectors(); i++) {
            put(group, i, first + i);
        }
        put(group, layout.vectors(), scales);
    }

    @Override
    public void end(int group, int scales, int minimums) {
        if (scales >= 0) {
            put(group, layout.vectors(), scales);
        }
        if (minimums >= 0) {
            put(group, layout.vectors() + 1, minimums);
        }
    }
}
