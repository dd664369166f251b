package poot.api.executor;

/** Whether a backend can run here. */
public sealed interface Availability {
    /**
     * It can.
     *
     * @param device describes what it would run on
     * @param memoryBytes that device's memory, or the host's; 0 where that is not known
     */
    record Available(String device, long memoryBytes) implements Availability {
        /** With memory that is not known. */
        public Available(String device) {
            this(device, 0);
        }
    }

    /** It cannot, because of {@code reason}: a missing driver, device or symbol. */
    record Unavailable(String reason) implements Availability {}
}
