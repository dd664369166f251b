package poot.core.kernel.generate.attention;

import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;

/**
 * Attention of a few queries over many keys: bound by memory, so every thread reads keys and values straight from it.
 * A workgroup takes some pairs of a token and a query head of one group, and one part of the cache. Its threads stand in
 * teams; key j is the affair of team j modulo the teams, whose threads share its features. Teams go through their keys
 * with a running softmax, and are joined at the end in a fixed order. So a query's numbers depend on the positions of keys
 * and on {@code pairs}, and on nothing else that shares the step.
 *
 * <p>Parameters: the composite's operands in order; result F32 [R, T, H, Dv], or where {@code part} is above 0 sums F32
 * [R, T, H, parts, Dv] and marks F32 [R, T, H, parts, 2], which {@link JoinParts} reads; tokens T, blocks B (of a row's
 * table; unused of a whole pass), slots S (of a whole pass R · T), and with parts their number. Buffers begin on
 * multiples of 16 bytes.
 *
 * @param pairs of a token and a query head that a workgroup takes
 * @param part positions of a part of the cache, a multiple of 256; 0 for one part that is all
 */
public record AttendFew(AttentionSpec spec, int pairs, int part) implements Generator {
    private static final int THREADS = 128;
    /** Registers that hold a query's features, or sums, of all pairs of a thread, as far as threads can share them out. */
    private static final int HELD = 32;
    /** Keys of a team at a time, so that their loads run together. */
    private static final int AT_ONCE = 4;
    /** What parts are multiples of, and at most what all teams take at a time. */
    static final int PART = 256;

    public AttendFew {
        if (pairs < 1 || part < 0 || part % PART != 0) {
            throw new IllegalArgumentException(pairs + " pairs, parts of " + part + ": use at least 1, and a multiple of 256");
        }
    }

    /** The workgroups of a step: (row, group), tile of pairs, part. */
    public Grid grid(int rows, int tokens, int parts) {
        int tiles = (tokens * spec.each() + pairs - 1) / pairs;
        return new Grid(rows * spec.groups(), tiles, part == 0 ? 1 : parts);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        int subgroup = limits.subgroup();
        int threads = Math.max(subgroup, Math.min(THREADS, Math.min(limits.maxWorkgroup(), 8 * subgroup)) / subgroup * subgroup);
        KernelBuilder b = new KernelBuilder("attend_few_" + spec.label() + "_" + pairs + (part > 0 ? "_split" : ""), threads, subgroup);
        new FewKernel(b, this, team(subgroup)).write();
        return b.build();
    }

    /** Keys of a team at a time. */
    int atOnce(int teams) {
        return Math.max(1, Math.min(AT_ONCE, PART / teams));
    }

    /** Features of {@code width} that a thread takes together: fewer where it holds those of many pairs. */
    int together(int width) {
        return Math.min(Features.together(width), pairs * 8 > HELD ? 4 : 8);
    }

    /** Threads that share a key. */
    private int team(int subgroup) {
        int together = Math.min(together(spec.width()), together(spec.valueWidth()));
        int pieces = Math.max(spec.width(), spec.valueWidth()) / together;
        int out = 1;
        while (out < subgroup && out < pieces && pairs * together * ((pieces + out - 1) / out) > HELD) {
            out *= 2;
        }
        // Rather eight threads read a key's pieces side by side than one alone.
        while (out < subgroup && out < pieces && out < 8) {
            out *= 2;
        }
        return out;
    }
}
