package poot.serve.command;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import poot.api.graph.Weight;

/**
 * Reads a large checkpoint's mapped pages once, so that the first step does not wait for the disk, and shows how far
 * it has come. Small ones are left to the first step.
 */
final class Warming {
    private static final long WORTH = 256L << 20;
    private static final int PAGE = 4096;
    private static final int BAR = 32;

    private final Console console;
    private final long total;
    private long done;
    private long shown;

    private Warming(Console console, long total) {
        this.console = console;
        this.total = total;
    }

    /** Touches every page of the weights' bytes. */
    static void touch(Collection<Weight> weights, Console console) {
        List<MemorySegment> parts = new ArrayList<>();
        weights.forEach(w -> w.parts().forEach(p -> {
            if (parts.stream().noneMatch(q -> q.address() == p.address())) {
                parts.add(p);
            }
        }));
        long total = parts.stream().mapToLong(MemorySegment::byteSize).sum();
        if (total >= WORTH) {
            new Warming(console, total).touch(parts);
        }
    }

    private void touch(List<MemorySegment> parts) {
        int sum = 0;
        for (MemorySegment p : parts) {
            for (long at = 0; at < p.byteSize(); at += PAGE) {
                sum += p.get(ValueLayout.JAVA_BYTE, at);
                done += PAGE;
                if (done - shown >= total / 100) {
                    show(sum);
                }
            }
        }
        if (console.interactive()) {
            console.err().print("\r" + " ".repeat(BAR + 40) + "\r");
        }
    }

    /** The sum keeps the reads from being dropped. */
    private void show(int sum) {
        shown = done;
        if (console.interactive()) {
            int full = (int) Math.min(BAR, BAR * done / total);
            console.err().print("\rloading [" + "#".repeat(full) + " ".repeat(BAR - full) + "] "
                    + Math.min(100, 100 * done / total) + "% of " + (total >> 20) + " MiB" + (sum == Integer.MIN_VALUE ? " " : ""));
        }
    }
}
