package poot.core.sample;

/** What is done with the outputs of a traced step. */
public sealed interface Head {
    /** The outputs as traced: for an encode pass. */
    record Raw() implements Head {}

    /** Nothing comes back: the step feeds tokens, and what only logits need is not computed. */
    record Feed() implements Head {}

    /** The logits come back, with a finite flag. */
    record Logits() implements Head {}

    /**
     * A token comes back, with a finite flag; the logits stay on the device.
     *
     * @param draws    whether a random draw, with its filters, is possible
     * @param history  whether penalties and a logit bias are applied
     * @param logprobs likeliest tokens reported; 0 for no logprobs
     * @param ordered  likeliest tokens put in order, which serves rows whose top-k is at most that many, and rows
     *     with neither top-k nor top-p; 0 for the whole vocabulary, which serves every row. A row that several such
     *     heads serve draws the same token under each
     */
    record Sample(boolean draws, boolean history, int logprobs, int ordered) implements Head {
        /** The most likely token and nothing else. */
        public static final Sample GREEDY = new Sample(false, false, 0, 0);

        public Sample {
            if (logprobs < 0 || ordered < 0) {
                throw new IllegalArgumentException("logprobs " + logprobs + ", ordered " + ordered);
            }
        }

        /** Whether the likeliest tokens are put in order: draws and logprobs need it. */
        public boolean sorts() {
            return draws || logprobs > 0;
        }
    }
}
