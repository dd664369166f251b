package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import java.util.List;
import poot.api.executor.ExecutorException;
import poot.api.graph.Weight;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.kernel.weight.Copies;
import poot.backend.cpu.x86.weight.MadeStep;
import poot.backend.cpu.x86.weight.Regrouping;

/** Makes interleaved rows of a weight whose rows lie side by side: by emitted code, but for rows it has none for. */
final class RowMaking implements Copies.Making {
    private final List<MemorySegment> parts;
    private final Regrouping how;
    private final int lanes;
    private final NativeCode code;

    RowMaking(Emitter emitter, Weight w, Regrouping how) throws ExecutorException {
        this.parts = w.parts();
        this.how = how;
        this.lanes = emitter.simd().lanes();
        MadeStep step = how.madeStep();
        this.code = emitter.kernel(step, () -> step.code(emitter.simd()));
    }

    @Override
    public Regrouping how() {
        return how;
    }

    @Override
    public int lanes() {
        return lanes;
    }

    @Override
    public void make(int from, int end, MemorySegment to, long at) {
        make(from, end, how.steps(), to, at);
    }

    /**
     * Writes some steps of groups {@code from} to {@code end}: one step of all groups before the next, so that of a line all is
     * read that is wanted.
     */
    void make(int from, int end, Regrouping.Steps steps, MemorySegment to, long at) {
        int whole = Math.clamp(how.count() / lanes, from, end);
        long groupBytes = steps.count() * how.stepBytes(lanes);
        long target = NativeCode.address(to, at);
        long row = how.first() + (long) from * lanes;
        for (int step = steps.from(); step < steps.end() && whole > from; step++) {
            long codes = address(0, how.codesAt(step) + how.codeBytes(row));
            long scales = address(2, how.scalesAt(step) + row * how.scale().bytes());
            long zeros = address(1, how.zerosAt(step) + row / 2);
            long ahead = step + 1 < how.steps().end() ? how.codesAt(step + 1) - how.codesAt(step) : 0;
            code.call(parts.getFirst(), how.linesOf(step), codes, target, scales, zeros, ahead, whole - from, groupBytes);
            target += how.stepBytes(lanes);
        }
        if (whole < end) {
            how.write(parts, whole, end, steps, lanes, to, at + (whole - from) * groupBytes);
        }
    }

    private long address(int part, long at) {
        return NativeCode.address(parts.get(part), at);
    }
}
