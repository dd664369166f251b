package poot.api.driver;

/** Receives the tokens of one generation as they are chosen. Must not block for long: the step loop waits. */
@FunctionalInterface
public interface TokenSink {
    /** Takes a token; false ends the generation. */
    boolean accept(Pick pick);
}
