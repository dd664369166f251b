package poot.accuracy;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of the table.
 *
 * @param form       the format asked for
 * @param subject    the model
 * @param stored     what its matrices are stored in
 * @param computed   the backend against the oracle over the same packed weights, all ways to cut the steps together
 * @param quantized  the oracle over the packed weights against the oracle over the original ones
 */
record Measured(String form, String subject, String stored, Divergence computed, Divergence quantized) {
    /** Largest difference of a logit, over the range of its row. */
    static final double RELATIVE = 2e-4;
    /** Largest divergence of a row, in nats. */
    static final double KL = 1e-6;

    /** What is out of bounds; empty if nothing is. */
    List<String> faults() {
        List<String> out = new ArrayList<>();
        if (!(computed.relative() <= RELATIVE)) {
            out.add("a logit differs by " + computed.relative() + " of its row's range, allowed " + RELATIVE);
        }
        if (!(computed.largestKl() <= KL)) {
            out.add("a row diverges by " + computed.largestKl() + " nats, allowed " + KL);
        }
        return out;
    }
}
