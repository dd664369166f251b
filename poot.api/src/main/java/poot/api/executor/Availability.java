package poot.api.executor;

/** Whether a backend can run here. */
public sealed interface Availability {
    /** It can; {@code device} describes what it would run on. */
    record Available(String device) implements Availability {}

    /** It cannot, because of {@code reason}: a missing driver, device or symbol. */
    record Unavailable(String reason) implements Availability {}
}
