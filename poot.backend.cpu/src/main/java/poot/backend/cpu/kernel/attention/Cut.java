package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import poot.backend.cpu.memory.Region;

/**
 * An attention cut into tasks of {@code span} key/value heads.
 *
 * @param queries query rows of a key/value head, padding included
 * @param parts   what a task's positions give, {@code queries} rows for each of its heads
 */
record Cut(Attention.Extents extents, int span, int queries, Tasks tasks, Parts parts) {
    /** Items each of several workers should have at least, so that none waits long for another. */
    private static final int ITEMS = 3;

    private static Cut of(Attention.Extents e, int span, int queries, int tile) {
        return new Cut(e, span, queries, new Tasks(e, tile, span), new Parts(span * queries, e.width()));
    }

    /**
     * All there are, the one of fewest tasks first: a single token's heads may be walked together, so that the cache is
     * read from one end to the other, or be shared among workers.
     */
    static List<Cut> all(Attention.Extents e, int queries, int tile) {
        List<Cut> out = new ArrayList<>();
        for (int span = e.tokens() == 1 ? e.groups() : 1; span > 0; span--) {
            if (e.groups() % span == 0) {
                out.add(of(e, span, queries, tile));
            }
        }
        return List.copyOf(out);
    }

    /** The first that gives each of {@code workers} enough to do where a task is {@code splits} items, else the last; of one the first. */
    static Cut forWorkers(List<Cut> cuts, int workers, int splits) {
        long least = workers == 1 ? 1 : (long) ITEMS * workers;
        for (int i = 0; i < cuts.size() - 1; i++) {
            if (cuts.get(i).tasks.count() * splits >= least) {
                return cuts.get(i);
            }
        }
        return cuts.getLast();
    }

    /** Adds what {@code part} gives a task's queries to {@code total}, what the parts before it gave. */
    void fold(MemorySegment s, long task, long total, long part) {
        for (int g = 0; g < span; g++) {
            for (int i = 0; i < tasks.tokens(task) * share(); i++) {
                parts.fold(s, total, part, g * queries + i);
            }
        }
    }

    /** The total of a task to its rows of the result. */
    void finish(MemorySegment s, long task, long total, Attention.Operands o) {
        for (int g = 0; g < span; g++) {
            for (int i = 0; i < tasks.tokens(task) * share(); i++) {
                float sink = Float.NEGATIVE_INFINITY;
                if (o.sinks().isPresent()) {
                    Region sinks = o.sinks().get();
                    int head = (tasks.firstGroup(task) + g) * share() + i % share();
                    sink = sinks.segment().get(FLOAT, sinks.offset() + 4L * head);
                }
                int width = extents.width();
                long to = tasks.head(o.out(), task, g, i / share(), width) + 4L * (i % share()) * width;
                parts.finish(s, total, g * queries + i, sink, o.out().segment(), to);
            }
        }
    }

    /** Query heads of a key/value head. */
    private int share() {
        return extents.heads() / extents.groups();
    }
}
