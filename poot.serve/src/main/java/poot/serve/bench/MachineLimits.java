package poot.serve.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleSupplier;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * What this machine can do at most, measured here: the best of several rounds, all threads at once.
 *
 * @param readBytes  bytes a second that all threads read from memory together
 * @param operations F32 operations a second of all threads together, a fused multiply-add being two
 */
public record MachineLimits(double readBytes, double operations) {
    /** Bytes each thread reads, more than its share of any cache; and the most of all threads together. */
    private static final long BYTES = 192L << 20;
    private static final long MOST_BYTES = 2L << 30;
    private static final int ROUNDS = 8;
    private static final int STEPS = 4_000_000;
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

    /** Measures with that many threads; about a second. */
    public static MachineLimits measure(int threads) throws InterruptedException {
        return new MachineLimits(best(threads, () -> reader(Math.min(BYTES, MOST_BYTES / threads))),
                best(threads, () -> new Task(MachineLimits::multiply, () -> { })));
    }

    /** The larger of each limit. */
    public MachineLimits or(MachineLimits other) {
        return new MachineLimits(Math.max(readBytes, other.readBytes), Math.max(operations, other.operations));
    }

    /** What one thread does again and again, giving the amount it did, and how it ends. */
    private record Task(DoubleSupplier round, Runnable end) {}

    private interface Maker {
        Task make();
    }

    private static Task reader(long count) {
        Arena arena = Arena.ofConfined();
        MemorySegment bytes = arena.allocate(count & -8L, 64);
        bytes.fill((byte) 1);
        return new Task(() -> read(bytes), arena::close);
    }

    private static double read(MemorySegment bytes) {
        long sum = 0;
        int words = (int) (bytes.byteSize() / Long.BYTES);
        for (int i = 0; i < words; i++) {
            sum += bytes.getAtIndex(ValueLayout.JAVA_LONG, i);
        }
        return sum == 0 ? 0 : bytes.byteSize();
    }

    /** Ten independent chains: enough to hide the latency of two multiply-adds a cycle. */
    private static double multiply() {
        FloatVector x = FloatVector.broadcast(SPECIES, 0.5f);
        FloatVector y = FloatVector.broadcast(SPECIES, 0.25f);
        FloatVector a = x;
        FloatVector b = x;
        FloatVector c = x;
        FloatVector d = x;
        FloatVector e = x;
        FloatVector f = x;
        FloatVector g = x;
        FloatVector h = x;
        FloatVector i = x;
        FloatVector j = x;
        for (int n = 0; n < STEPS; n++) {
            a = a.fma(x, y);
            b = b.fma(x, y);
            c = c.fma(x, y);
            d = d.fma(x, y);
            e = e.fma(x, y);
            f = f.fma(x, y);
            g = g.fma(x, y);
            h = h.fma(x, y);
            i = i.fma(x, y);
            j = j.fma(x, y);
        }
        float all = a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).add(i).add(j).lane(0);
        return all == 0 ? 0 : 2.0 * 10 * STEPS * SPECIES.length();
    }

    /** The most that all threads did in a second of one round, from the first's start to the last's end. */
    private static double best(int threads, Maker maker) throws InterruptedException {
        CyclicBarrier barrier = new CyclicBarrier(threads);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<double[][]>> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                all.add(pool.submit(() -> rounds(barrier, maker.make())));
            }
            List<double[][]> done = new ArrayList<>();
            for (Future<double[][]> f : all) {
                done.add(f.get());
            }
            double best = 0;
            for (int r = 0; r < ROUNDS; r++) {
                int round = r;
                double start = done.stream().mapToDouble(d -> d[round][0]).min().orElseThrow();
                double end = done.stream().mapToDouble(d -> d[round][1]).max().orElseThrow();
                double amount = done.stream().mapToDouble(d -> d[round][2]).sum();
                best = Math.max(best, amount / (end - start));
            }
            return best;
        } catch (ExecutionException e) {
            throw new IllegalStateException("measuring the machine's limits failed", e.getCause());
        }
    }

    /** Start, end (seconds) and amount of each round of one thread. */
    private static double[][] rounds(CyclicBarrier barrier, Task task) throws InterruptedException, BrokenBarrierException {
        try {
            double[][] out = new double[ROUNDS][];
            for (int r = 0; r < ROUNDS; r++) {
                barrier.await();
                double start = System.nanoTime() / 1e9;
                double amount = task.round().getAsDouble();
                out[r] = new double[] {start, System.nanoTime() / 1e9, amount};
            }
            return out;
        } finally {
            task.end().run();
        }
    }
}
