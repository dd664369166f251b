package poot.core.kernel.interpret;

/** What memory of an interpreted device is before anything writes it. */
public enum Fresh {
    /** Zero, as devices give it. */
    ZEROED,
    /** Not to be read: what means to read zeros writes them. Shows kernels that read what nothing computed. */
    UNDEFINED
}
