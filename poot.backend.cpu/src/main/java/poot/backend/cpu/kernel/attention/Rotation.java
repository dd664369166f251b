package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.INT;
import static poot.backend.cpu.kernel.Lanes.LITTLE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import poot.api.graph.Composite;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Work;

/**
 * Rotary position embedding of x [R·T, H, D], F32: the angles of a token are computed once for all its heads, in F32,
 * their sines and cosines in double.
 */
public final class Rotation implements Ranged {
    private final Composite.Rope rope;
    private final Region x;
    private final Region positions;
    private final Region frequencies;
    private final Region out;
    private final long tokens;
    private final int heads;
    private final int depth;
    private final Workspace workspace;
    private final Work body = this::range;

    /** x of {@code tokens} times [heads, depth], positions I32 [tokens], frequencies F32 [rotary/2]. */
    public Rotation(
            Composite.Rope rope, Region x, Region positions, Region frequencies, Region out, long tokens, int heads, int depth,
            Workspace workspace) {
        this.rope = rope;
        this.x = x;
        this.positions = positions;
        this.frequencies = frequencies;
        this.out = out;
        this.tokens = tokens;
        this.heads = heads;
        this.depth = depth;
        this.workspace = workspace;
        workspace.reserveWorker(4L * rope.rotary());
    }

    @Override
    public long items() {
        return tokens;
    }

    @Override
    public long grain() {
        return Math.max(1, 8192 / Math.max(1, heads * depth));
    }

    @Override
    public Work body() {
        return body;
    }

    private void range(int worker, long from, long to) {
        int half = rope.rotary() / 2;
        long cos = workspace.workerAt(worker);
        long sin = cos + 4L * half;
        for (long token = from; token < to; token++) {
            angles(token, half, cos, sin);
            for (int head = 0; head < heads; head++) {
                long at = 4 * (token * heads + head) * depth;
                long p = x.offset() + at;
                long q = out.offset() + at;
                if (rope.interleaved()) {
                    pairs(x.segment(), p, workspace.worker(), cos, sin, out.segment(), q, half);
                } else {
                    halves(x.segment(), p, workspace.worker(), cos, sin, out.segment(), q, half);
                }
                if (rope.rotary() < depth) {
                    long passed = 4L * rope.rotary();
                    MemorySegment.copy(x.segment(), p + passed, out.segment(), q + passed, 4L * depth - passed);
                }
            }
        }
    }

    private void angles(long token, int half, long cos, long sin) {
        MemorySegment s = workspace.worker();
        float position = positions.segment().get(INT, positions.offset() + 4 * token);
        for (int i = 0; i < half; i++) {
            float angle = position * frequencies.segment().get(FLOAT, frequencies.offset() + 4L * i);
            s.set(FLOAT, cos + 4L * i, (float) Math.cos(angle) * rope.scale());
            s.set(FLOAT, sin + 4L * i, (float) Math.sin(angle) * rope.scale());
        }
    }

    private static void halves(
            MemorySegment x, long p, MemorySegment s, long cos, long sin, MemorySegment out, long q, int half) {
        int i = 0;
        for (int end = Lanes.whole(half); i < end; i += COUNT) {
            FloatVector a = Lanes.load(x, p + 4L * i);
            FloatVector b = Lanes.load(x, p + 4L * (half + i));
            FloatVector c = Lanes.load(s, cos + 4L * i);
            FloatVector d = Lanes.load(s, sin + 4L * i);
            a.mul(c).sub(b.mul(d)).intoMemorySegment(out, q + 4L * i, LITTLE);
            b.mul(c).add(a.mul(d)).intoMemorySegment(out, q + 4L * (half + i), LITTLE);
        }
        for (; i < half; i++) {
            turn(x, p + 4L * i, p + 4L * (half + i), s, cos + 4L * i, sin + 4L * i, out, q + 4L * i, q + 4L * (half + i));
        }
    }

    private static void pairs(
            MemorySegment x, long p, MemorySegment s, long cos, long sin, MemorySegment out, long q, int half) {
        for (int i = 0; i < half; i++) {
            long at = 8L * i;
            turn(x, p + at, p + at + 4, s, cos + 4L * i, sin + 4L * i, out, q + at, q + at + 4);
        }
    }

    private static void turn(
            MemorySegment x, long p0, long p1, MemorySegment s, long cos, long sin, MemorySegment out, long q0, long q1) {
        float a = x.get(FLOAT, p0);
        float b = x.get(FLOAT, p1);
        float c = s.get(FLOAT, cos);
        float d = s.get(FLOAT, sin);
        out.set(FLOAT, q0, a * c - b * d);
        out.set(FLOAT, q1, b * c + a * d);
    }
}
