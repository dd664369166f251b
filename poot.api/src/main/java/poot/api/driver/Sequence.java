package poot.api.driver;

/** An open sequence of one driver. */
public interface Sequence {
    /** Its number, unique in its driver. */
    long id();

    /** The ids so far: prompt, then committed; a fresh copy. */
    int[] tokens();

    /** Tokens whose keys, values and states the device holds. */
    int fed();

    /** Tokens of those fed that reuse of a cached beginning spared, when it was opened or went on after a suspension. */
    int reused();

    /**
     * Whether sequences that begin alike share what they hold: whole blocks of what was fed to one are found by the others,
     * once a step has fed them.
     */
    boolean shares();

    /** Tokens the next steps have to feed. */
    int pending();

    /** Where it stands. */
    Phase phase();

    /** Where a sequence stands. */
    enum Phase {
        /** Tokens are pending: it can be stepped. */
        PENDING,
        /** A choice was made or logits were returned: a commit is awaited. */
        PICKED,
        /** A step failed; it can only be released. */
        FAILED,
        /** Closed. */
        RELEASED
    }
}
