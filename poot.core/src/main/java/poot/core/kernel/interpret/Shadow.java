package poot.core.kernel.interpret;

/** Who wrote and read each byte of some memory last, in pages that exist once they are needed. */
final class Shadow {
    private static final int PAGE = 1024;
    /** An entry is a phase, then what follows: the thread, and flags. */
    private static final int PHASE_SHIFT = 13;
    private static final int THREAD = (1 << 10) - 1;
    /** Other threads of the phase did, too. */
    private static final int MANY = 1 << 10;
    private static final int ATOMIC = 1 << 11;
    /** Other workgroups did, too, with nothing between. */
    private static final int FOREIGN = 1 << 12;
    private final long[][] writes;
    private final long[][] reads;

    Shadow(long bytes) {
        int pages = Math.toIntExact((bytes + PAGE - 1) / PAGE);
        writes = new long[pages][];
        reads = new long[pages][];
    }

    /** Notes a read; the thread or workgroup that it races with, in words, or null. */
    String read(long at, int bytes, boolean noted, Site site) {
        for (long i = at; i < at + bytes; i++) {
            long[] page = writes[(int) (i / PAGE)];
            if (page != null) {
                String other = conflict(page[(int) (i % PAGE)], site, false);
                if (other != null) {
                    return other + " that writes";
                }
            }
            if (noted) {
                noteRead(i, site);
            }
        }
        return null;
    }

    /** Notes a write; the thread or workgroup that it races with, in words, or null. */
    String write(long at, int bytes, boolean atomic, Site site) {
        for (long i = at; i < at + bytes; i++) {
            int k = (int) (i % PAGE);
            long[] read = reads[(int) (i / PAGE)];
            String other = read == null ? null : conflict(read[k], site, false);
            if (other != null) {
                return other + " that reads";
            }
            long[] page = page(writes, i);
            other = conflict(page[k], site, atomic);
            if (other != null) {
                return other + " that writes";
            }
            if (!atomic) {
                page[k] = site.phases.now() << PHASE_SHIFT | site.thread;
            } else if ((page[k] & ATOMIC) != 0 || page[k] >>> PHASE_SHIFT != site.phases.now()) {
                // A plain write of this phase stays noted: other threads' atomics race with it.
                page[k] = next(page[k], site) | ATOMIC;
            }
        }
        return null;
    }

    private void noteRead(long i, Site site) {
        long[] page = page(reads, i);
        int k = (int) (i % PAGE);
        page[k] = next(page[k], site);
    }

    /** The entry of one more thread that does the same as others may have done. */
    private static long next(long entry, Site site) {
        long phase = entry >>> PHASE_SHIFT;
        long out = site.phases.now() << PHASE_SHIFT | site.thread;
        if (phase == site.phases.now()) {
            out |= entry & (MANY | FOREIGN) | ((entry & THREAD) != site.thread ? MANY : 0);
        } else if (phase >= site.phases.ordered()) {
            out |= phase < site.phases.workgroup() ? FOREIGN : entry & FOREIGN;
        }
        return out;
    }

    private static long[] page(long[][] pages, long i) {
        int p = (int) (i / PAGE);
        if (pages[p] == null) {
            pages[p] = new long[PAGE];
        }
        return pages[p];
    }

    private static String conflict(long entry, Site site, boolean atomic) {
        long phase = entry >>> PHASE_SHIFT;
        if (phase < site.phases.ordered() || atomic && (entry & ATOMIC) != 0) {
            return null;
        }
        int thread = (int) (entry & THREAD);
        if ((entry & FOREIGN) != 0) {
            return "a thread of another workgroup";
        }
        if (phase < site.phases.workgroup()) {
            return "thread " + thread + " of another workgroup";
        }
        return phase == site.phases.now() && (thread != site.thread || (entry & MANY) != 0) ? "thread " + thread : null;
    }
}
