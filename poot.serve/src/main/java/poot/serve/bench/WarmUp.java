package poot.serve.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalInt;

/**
 * The unmeasured rounds before those that count: as many as wished, or until Java's compilers rest, which take a
 * processor from the kernels for the first seconds.
 */
final class WarmUp {
    /** Rounds at most. */
    static final int ROUNDS = 12;
    /** No further round is begun after so long. */
    static final double SECONDS = 60;
    /** The compilers rest in a round of which they worked less than this. */
    static final double RESTING = 0.02;
    /** Rounds in which they rest, one after another: what is compiled for a whole round counts in the next. */
    private static final int RESTED = 2;

    private final OptionalInt wished;
    private final long from = System.nanoTime();
    private int rounds;
    private int rested;
    private long begun = from;
    private long compiledBefore;

    WarmUp(OptionalInt wished) {
        this.wished = wished;
    }

    /** Whether another round is due; asked before each. */
    boolean next() {
        long now = System.nanoTime();
        long all = compiled();
        rested = rounds > 0 && resting((all - compiledBefore) / 1e3, (now - begun) / 1e9) ? rested + 1 : 0;
        boolean more = wished.isPresent() ? rounds < wished.getAsInt()
                : rounds == 0 || rounds < ROUNDS && (now - from) / 1e9 < SECONDS && rested < RESTED;
        begun = now;
        compiledBefore = all;
        rounds += more ? 1 : 0;
        return more;
    }

    /** Milliseconds that the compilers worked; 0 where Java has none ({@code -Xint}) or does not tell. */
    private static long compiled() {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        return compilers != null && compilers.isCompilationTimeMonitoringSupported() ? compilers.getTotalCompilationTime() : 0;
    }

    /** Whether compilers that worked {@code worked} seconds of {@code elapsed} rest. */
    static boolean resting(double worked, double elapsed) {
        return worked < RESTING * elapsed;
    }

    /** Rounds so far. */
    int rounds() {
        return rounds;
    }
}
