package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VMASKMOVPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.kernel.Frame.AHEAD;
import static poot.backend.cpu.x86.kernel.Frame.AT;
import static poot.backend.cpu.x86.kernel.Frame.COUNT;
import static poot.backend.cpu.x86.kernel.Frame.LEFT;
import static poot.backend.cpu.x86.kernel.Frame.MASK;
import static poot.backend.cpu.x86.kernel.Frame.OUT;
import static poot.backend.cpu.x86.kernel.Frame.SIZES;
import static poot.backend.cpu.x86.kernel.Frame.WEIGHTS;
import static poot.backend.cpu.x86.kernel.Frame.X;

import java.util.List;
import java.util.Optional;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.Interleaving;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Parts;
import poot.backend.cpu.x86.weight.Rows;
import poot.backend.cpu.x86.weight.StoredRows;

/** Few activation rows times weights as they are decoded: sums stay in registers. */
public final class FewRows {
    /** Arguments whose registers {@link Parts} take: they are kept behind its sizes. */
    private static final List<Register> NEEDED = List.of(COUNT, MASK);

    private FewRows() {}

    /**
     * y = x · wᵀ for a tile of {@code tile} activation rows and groups of weight rows as stored.
     *
     * @param layout how x is staged: one of {@link Emitted#layout}
     * @param more   whether sums go on from those in y: these are further steps of a longer row
     * @param order  how the rows of a group are interleaved, if they are
     */
    public static byte[] of(
            Simd simd, StoredRows stored, Layout layout, int tile, boolean more, Optional<Interleaving> order) {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        Rows rows = new Rows(code, order);
        SumSink sums = sums(rows, stored, layout, tile);
        Frame.enter(code, stored.scratch());
        Frame.strides(to);
        Hold.mostRead(rows, stored, sums.registers(), plan -> sums(plan, stored, layout, tile));
        keep(to, stored);
        Label group = to.here();
        start(code, sums, tile, more);
        stored.begin(rows, WEIGHTS);
        to.mov(AHEAD, Register.RAX);
        rows.next(AHEAD);
        to.mov(AT, X);
        to.mov(LEFT, At.of(SIZES, Emitted.STEPS));
        Label step = to.here();
        rows.ahead(AHEAD, tile == 1 && order.isPresent() ? 0 : simd.lanes() * stored.stepBytes());
        stored.step(rows, sums);
        stored.advance(rows);
        to.add(AT, layout.order().size() * layout.groupBytes(tile));
        to.dec(LEFT);
        to.jnz(step);
        sums.finish();
        take(to, stored);
        Frame.leave(code, tile, 0);
        stored.next(rows, WEIGHTS);
        to.add(OUT, simd.width());
        to.dec(COUNT);
        keep(to, stored);
        to.jnz(group);
        Frame.exit(code, stored.scratch());
        return code.finish();
    }

    private static SumSink sums(Rows rows, StoredRows stored, Layout layout, int tile) {
        boolean wide = rows.code().simd().wide();
        return new SumSink(
                rows.code(), layout, tile, stored.open(), AT, rows.free, wide ? 30 : rows.work, wide && layout.floating());
    }

    /** Keeps the arguments whose registers steps need; flags stay. */
    private static void keep(Assembler to, StoredRows stored) {
        for (int i = 0; i < NEEDED.size() && stored.apart(); i++) {
            to.store(At.of(SIZES, Parts.KEPT + 8 * i), NEEDED.get(i));
        }
    }

    private static void take(Assembler to, StoredRows stored) {
        for (int i = 0; i < NEEDED.size() && stored.apart(); i++) {
            to.mov(NEEDED.get(i), At.of(SIZES, Parts.KEPT + 8 * i));
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
        int mask = Frame.mask(code);
        for (int row = 0; row < tile; row++) {
            if (code.simd().wide()) {
                to.masked(VMOVUPS, 64, row, At.of(LEFT, 0), 1);
            } else {
                to.op(VMASKMOVPS, 32, row, mask, At.of(LEFT, 0));
            }
            to.add(LEFT, At.of(SIZES, Emitted.OUT_BYTES));
        }
        to.jmp(done);
        to.bind(whole);
        for (int row = 0; row < tile; row++) {
            to.op(VMOVUPS, code.simd().width(), row, Assembler.NONE, At.of(LEFT, 0));
            to.add(LEFT, At.of(SIZES, Emitted.OUT_BYTES));
        }
        to.bind(done);
    }
}
