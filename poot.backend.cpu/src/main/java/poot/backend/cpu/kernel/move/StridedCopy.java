package poot.backend.cpu.kernel.move;

import static poot.backend.cpu.kernel.Lanes.BYTE;
import static poot.backend.cpu.kernel.Lanes.INT;
import static poot.backend.cpu.kernel.Lanes.SHORT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/**
 * A dense result from an operand read with strides: transposes and broadcasts. Neighbouring axes are merged; the
 * innermost is copied as a run where its elements are neighbours in the operand.
 */
public final class StridedCopy implements Step {
    private final Region from;
    private final Region to;
    private final int bytes;
    private final long[] extents;
    private final long[] strides;
    private final long runs;
    private final long grain;
    private final Work body = this::range;

    /**
     * Copies elements of {@code bytes} (1, 2 or 4) bytes.
     *
     * @param dims  extents of the result, outermost first
     * @param steps for each axis the elements between neighbours in the operand; 0 repeats
     */
    public StridedCopy(Region from, Region to, int bytes, int[] dims, long[] steps) {
        this.from = from;
        this.to = to;
        this.bytes = bytes;
        long[] e = new long[dims.length + 1];
        long[] s = new long[dims.length + 1];
        int used = 0;
        for (int axis = dims.length - 1; axis >= 0; axis--) {
            if (dims[axis] == 1) {
                continue;
            }
            if (used > 0 && s[used - 1] * e[used - 1] == steps[axis]) {
                e[used - 1] *= dims[axis];
            } else {
                e[used] = dims[axis];
                s[used++] = steps[axis];
            }
        }
        if (used == 0) {
            e[used++] = 1;
        }
        extents = Arrays.copyOf(e, used);
        strides = Arrays.copyOf(s, used);
        long outer = 1;
        for (int i = 1; i < used; i++) {
            outer *= extents[i];
        }
        runs = extents[0] == 0 ? 0 : outer;
        grain = Math.max(1, 16384 / Math.max(1, extents[0]));
    }

    @Override
    public void run(Team team) {
        team.run(body, runs, grain);
    }

    private void range(int worker, long first, long end) {
        for (long run = first; run < end; run++) {
            long left = run;
            long at = 0;
            for (int i = 1; i < extents.length; i++) {
                at += left % extents[i] * strides[i];
                left /= extents[i];
            }
            copy(from.offset() + at * bytes, to.offset() + run * extents[0] * bytes);
        }
    }

    private void copy(long at, long put) {
        MemorySegment source = from.segment();
        MemorySegment result = to.segment();
        long n = extents[0];
        long step = strides[0] * bytes;
        if (strides[0] == 1 || n == 1) {
            MemorySegment.copy(source, at, result, put, n * bytes);
            return;
        }
        switch (bytes) {
            case 4 -> {
                for (long i = 0; i < n; i++) {
                    result.set(INT, put + 4 * i, source.get(INT, at + i * step));
                }
            }
            case 2 -> {
                for (long i = 0; i < n; i++) {
                    result.set(SHORT, put + 2 * i, source.get(SHORT, at + i * step));
                }
            }
            default -> {
                for (long i = 0; i < n; i++) {
                    result.set(BYTE, put + i, source.get(BYTE, at + i * step));
                }
            }
        }
    }
}
