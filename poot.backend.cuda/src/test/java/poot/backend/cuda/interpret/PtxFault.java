package poot.backend.cuda.interpret;

/** What a device would refuse or get wrong: text it does not know, an access out of bounds, a barrier not all reach. */
public final class PtxFault extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    PtxFault(String message) {
        super(message);
    }
}
