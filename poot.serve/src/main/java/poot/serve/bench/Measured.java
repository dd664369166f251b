package poot.serve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One workload on one checkpoint, measured.
 *
 * @param mix      the checkpoint's format
 * @param workload what was run
 * @param speed    poot's tokens a second, all rows together
 * @param work     what a turn does at the least
 * @param facts    the last step of a turn
 * @param loaded   what preparing took
 * @param peer     the peer's tokens a second, in the same rounds
 * @param unasked  why the peer was not asked; empty if it was, or if there is none
 */
public record Measured(WeightMix mix, Workload workload, Spread speed, Work work, StepFacts facts, Loaded loaded,
        Optional<Spread> peer, String unasked) {
    /**
     * A prepared checkpoint.
     *
     * @param seconds       from opening it until the driver was prepared
     * @param weightBytes   bytes of its tensors
     * @param retainedBytes bytes held beside them
     * @param warmUp        unmeasured turns of each workload before the first that counts
     */
    public record Loaded(double seconds, long weightBytes, long retainedBytes, int warmUp) {}

    /** Bytes a second that must move at the median speed. */
    public double bytesPerSecond() {
        return work.bytes() / workload.tokens() * speed.median();
    }

    /** Operations a second at the median speed. */
    public double operationsPerSecond() {
        return work.operations() / workload.tokens() * speed.median();
    }

    /** poot's speed over the peer's, round by round. */
    public Optional<Spread> ratio() {
        return peer.map(p -> {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < p.values().size(); i++) {
                ratios.add(speed.values().get(i) / p.values().get(i));
            }
            return new Spread(ratios);
        });
    }

    /** Steps of a turn of a continuation, 0 for a prompt: what {@link #facts} describes. */
    public int steps() {
        return workload instanceof Workload.Continuation c ? c.each() : 0;
    }
}
