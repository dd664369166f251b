package poot.core.kernel.generate.attention;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.generate.Stages;
import poot.core.kernel.generate.Stages.Given;
import poot.core.kernel.generate.Stages.Stage;
import poot.core.kernel.generate.attention.AttentionSpec.Cached;

/**
 * Which kernels attend in a step. Rows play no part in it, and of the device only its limits, so that a row's numbers do
 * not depend on who shares its step; of its tokens it matters whether there are several, and over a cache of more than
 * {@value #SPLIT_PART} positions whether they are more than {@value #SPLIT_TOKENS}.
 *
 * @param blocks of a row's table; 0 of a whole pass
 * @param slots of the cache; of a whole pass rows · tokens
 */
public record AttentionChoice(AttentionSpec spec, int rows, int tokens, int blocks, int slots) {
    /** Heads of one group up to which the threads of a lone token each read the cache on their own. */
    private static final int FEW = 16;
    /** Features of the queries of a workgroup of few: what its threads hold without spilling. */
    private static final int QUERY_FEATURES = 1024;
    private static final int MOST_PAIRS = 8;
    private static final int MOST_PARTS = 64;
    /** Tokens up to which tiles of queries read a long cache in parts. */
    private static final int SPLIT_TOKENS = 64;
    private static final int SPLIT_PART = 1024;
    private static final int SPLIT_MOST = 16;

    /** The kernels of attention over a cache; its operands are the composite's, in order, and its one result. */
    public static AttentionChoice cached(AttentionSpec spec, int rows, int tokens, int blocks, int slots) {
        return new AttentionChoice(spec, rows, tokens, blocks, slots);
    }

    /** The kernels of attention inside one pass. */
    public static AttentionChoice whole(AttentionSpec spec, int rows, int tokens) {
        return new AttentionChoice(spec, rows, tokens, 0, rows * tokens);
    }

    /** Them. */
    public Stages stages(DeviceLimits limits) {
        int total = tokens * spec.each();
        if (tokens == 1 && total <= FEW) {
            int most = Math.clamp(QUERY_FEATURES / Math.max(spec.width(), spec.valueWidth()), 1, MOST_PAIRS);
            int tiles = (total + most - 1) / most;
            int part = reach() <= AttendFew.PART || !split() ? 0 : part(AttendFew.PART, MOST_PARTS);
            AttendFew few = new AttendFew(spec, (total + tiles - 1) / tiles, part);
            return stages(few, part, few.grid(rows, tokens, parts(part)));
        }
        int part = !split() || tokens > SPLIT_TOKENS || reach() <= SPLIT_PART ? 0 : part(SPLIT_PART, SPLIT_MOST);
        AttendMany many = new AttendMany(spec, part);
        return stages(many, part, many.grid(limits, rows, tokens, parts(part)));
    }

    private boolean split() {
        return spec.view() instanceof Cached;
    }

    private int reach() {
        return spec.view() instanceof Cached c ? Math.multiplyExact(blocks, c.block()) : tokens;
    }

    /** Positions of a part: at least {@code least}, and so many that there are at most {@code most} parts. */
    private int part(int least, int most) {
        int part = least;
        while ((long) part * most < reach()) {
            part *= 2;
        }
        return part;
    }

    private int parts(int part) {
        return part == 0 ? 1 : (reach() + part - 1) / part;
    }

    private Stages stages(Generator first, int part, Grid grid) {
        int operands = 5 + (spec.coded() ? 2 : 0) + (spec.alibi() ? 1 : 0) + (spec.sinks() ? 1 : 0) - (split() ? 0 : 1);
        List<Given> given = new ArrayList<>();
        for (int i = 0; i < operands; i++) {
            given.add(new Given.Operand(i));
        }
        List<Given> sizes = List.of(new Given.Number(tokens), new Given.Number(blocks), new Given.Number(slots));
        if (part == 0) {
            given.add(new Given.Result(0));
            given.addAll(sizes);
            return Stages.of(first, grid, given);
        }
        Given sums = new Given.Scratch(0);
        Given marks = new Given.Scratch(1);
        given.add(sums);
        given.add(marks);
        given.addAll(sizes);
        given.add(new Given.Number(parts(part)));
        JoinParts join = new JoinParts(spec, part);
        List<Given> joined = new ArrayList<>(List.of(new Given.Operand(4), sums, marks));
        if (spec.sinks()) {
            joined.add(new Given.Operand(operands - 1));
        }
        joined.addAll(List.of(new Given.Result(0), new Given.Number(blocks), new Given.Number(parts(part))));
        long queries = (long) rows * tokens * spec.heads() * parts(part);
        return new Stages(List.of(new Stage(first, grid, given), new Stage(join, join.grid(rows, tokens), joined)),
                List.of(4 * queries * spec.valueWidth(), 8 * queries));
    }
}
