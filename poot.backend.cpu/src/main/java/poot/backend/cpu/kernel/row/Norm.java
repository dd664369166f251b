package poot.backend.cpu.kernel.row;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Work;

/**
 * RMS norm and layer norm over rows x [rows, n], F32: {@code (x - mean) / sqrt(mean((x - mean)²) + eps) · (w + offset) + b},
 * where an RMS norm takes 0 for the mean and has no b.
 */
public final class Norm implements Ranged {
    private final Region x;
    private final Region weight;
    private final Optional<Region> bias;
    private final Region out;
    private final long rows;
    private final int n;
    private final float eps;
    private final float offset;
    private final boolean centred;
    private final long grain;
    private final Work body = this::range;

    private Norm(
            Region x, Region weight, Optional<Region> bias, Region out, long rows, int n, float eps, float offset, boolean centred) {
        this.x = x;
        this.weight = weight;
        this.bias = bias;
        this.out = out;
        this.rows = rows;
        this.n = n;
        this.eps = eps;
        this.offset = offset;
        this.centred = centred;
        this.grain = Math.max(1, 16384 / Math.max(1, n));
    }

    /** x / sqrt(mean(x²) + eps) · (w + offset). */
    public static Norm rms(Region x, Region weight, Region out, long rows, int n, float eps, float offset) {
        return new Norm(x, weight, Optional.empty(), out, rows, n, eps, offset, false);
    }

    /** (x - mean) / sqrt(var + eps) · w + b. */
    public static Norm layer(Region x, Region weight, Optional<Region> bias, Region out, long rows, int n, float eps) {
        return new Norm(x, weight, bias, out, rows, n, eps, 0f, true);
    }

    @Override
    public long items() {
        return rows;
    }

    @Override
    public long grain() {
        return grain;
    }

    @Override
    public Work body() {
        return body;
    }

    private void range(int worker, long from, long to) {
        MemorySegment in = x.segment();
        MemorySegment result = out.segment();
        for (long row = from; row < to; row++) {
            long at = x.offset() + 4L * row * n;
            long put = out.offset() + 4L * row * n;
            float mean = centred ? RowMath.sum(in, at, n) / n : 0f;
            float scale = (float) (1 / Math.sqrt(RowMath.squares(in, at, n, mean) / n + eps));
            RowMath.scale(in, at, mean, scale, weight.segment(), weight.offset(), offset, result, put, n);
            if (bias.isPresent()) {
                Region b = bias.get();
                RowMath.add(result, put, b.segment(), b.offset(), n);
            }
        }
    }
}
