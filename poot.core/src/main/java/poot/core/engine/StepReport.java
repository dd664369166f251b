package poot.core.engine;

import java.time.Duration;

/**
 * A step that was made.
 *
 * @param time       it took, planning and reserving included
 * @param decoding   rows that fed one token and chose the next
 * @param prefilling rows that fed tokens of a prompt, or fed tokens again
 * @param tokens     fed by all rows
 * @param preempted  rows whose blocks were taken back for it
 * @param running    requests with a row after it
 * @param suspended  of those, waiting for blocks
 * @param waiting    requests waiting for a row after it
 */
public record StepReport(Duration time, int decoding, int prefilling, int tokens, int preempted, int running,
        int suspended, int waiting) {
    /** Rows of the step. */
    public int rows() {
        return decoding + prefilling;
    }
}
