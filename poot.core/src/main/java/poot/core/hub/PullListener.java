package poot.core.hub;

/** Told how far a pull is, several times a second, by one thread at a time. A slow listener delays no transfer. */
@FunctionalInterface
public interface PullListener {
    /** Tells nobody. */
    PullListener NONE = progress -> {};

    /** How far it is now. */
    void progress(PullProgress progress);
}
