package poot.core.kernel.generate.select;

import java.util.function.Consumer;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * A sorting network (Batcher 1968, bitonic) over ranks and places in shared memory: falling ranks, equal ones by rising
 * places. What is sorted may be a stretch of something longer, of which it begins at {@code base}, a multiple of its size.
 */
final class SharedSort {
    /** Things that fit the shared memory of every device. */
    static final int MOST = 2048;
    private final KernelBuilder b;
    private final int size;
    private final SharedArray ranks;
    private final SharedArray places;

    /**
     * Declares the memory.
     *
     * @param size things, a power of two
     */
    SharedSort(KernelBuilder b, int size) {
        this.b = b;
        this.size = size;
        ranks = b.shared("ranks", MemoryType.U32, size);
        places = b.shared("places", MemoryType.U32, size);
    }

    /** The power of two that holds {@code n} things, at least 2. */
    static int sizeFor(int n) {
        int out = 2;
        while (out < n) {
            out *= 2;
        }
        return out;
    }

    void put(Reg at, Reg rank, Reg place) {
        b.store(ranks, at, rank);
        b.store(places, at, place);
    }

    Reg rank(Reg at) {
        return b.load(ranks, at);
    }

    Reg place(Reg at) {
        return b.load(places, at);
    }

    /** Threads do something for {@code count} things by turns. */
    static void each(KernelBuilder b, int count, Consumer<Reg> body) {
        b.loop(b.thread(), b.u32(count), b.workgroupSize(), body);
    }

    /** Sorts; backwards where {@code base} has the bit {@code size}. Begins and ends with a barrier. */
    void sort(Reg base) {
        int steps = Integer.numberOfTrailingZeros(size);
        b.barrier();
        b.loop(b.u32(1), b.u32(steps + 1), 1, (Reg step) -> {
            Reg run = b.shl(b.u32(1), step);
            b.loop(b.u32(0), step, 1, (Reg t) -> exchange(base, run, b.shl(b.u32(1), b.sub(b.sub(step, 1), t))));
        });
    }

    /** Brings in order what is a stretch of runs of length {@code run}, exchanged down to its size. */
    void merge(Reg base, Reg run) {
        int steps = Integer.numberOfTrailingZeros(size);
        b.barrier();
        b.loop(b.u32(0), b.u32(steps), 1, (Reg t) -> exchange(base, run, b.shl(b.u32(1), b.sub(b.u32(steps - 1), t))));
    }

    private void exchange(Reg base, Reg run, Reg stride) {
        each(b, size / 2, p -> {
            Reg i = first(b, p, stride);
            Reg j = b.add(i, stride);
            Reg ri = rank(i);
            Reg pi = place(i);
            Reg rj = rank(j);
            Reg pj = place(j);
            b.when(swaps(b, b.add(base, i), run, ri, pi, rj, pj), () -> {
                put(i, rj, pj);
                put(j, ri, pi);
            });
        });
        b.barrier();
    }

    /** The first of the two things that pair {@code p} compares. */
    static Reg first(KernelBuilder b, Reg p, Reg stride) {
        Reg low = b.and(p, b.sub(stride, 1));
        return b.add(b.shl(b.sub(p, low), 1), low);
    }

    /** Whether two things change places, the first being thing {@code at} of runs of length {@code run}. */
    static Reg swaps(KernelBuilder b, Reg at, Reg run, Reg rank, Reg place, Reg otherRank, Reg otherPlace) {
        Reg otherFirst = b.or(b.gt(otherRank, rank), b.and(b.eq(otherRank, rank), b.lt(otherPlace, place)));
        Reg forwards = b.eq(b.and(at, run), 0);
        return b.eq(otherFirst, forwards);
    }
}
