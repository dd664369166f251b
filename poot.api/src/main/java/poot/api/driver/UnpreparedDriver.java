package poot.api.driver;

/** A model bound to an executor under fixed options: nothing is resident yet. Not safe for use by several threads. */
public interface UnpreparedDriver extends AutoCloseable {
    /** The options, fixed for the driver's life. */
    DriverOptions options();

    /**
     * Makes the weights resident and compiles every step the options admit, so that serving compiles nothing. Used up
     * by {@link Preparation.Ready}; after {@link Preparation.Refused} nothing is held and it may be tried again.
     */
    Preparation prepare();

    /** Gives the model back; without effect once prepared. */
    @Override
    void close();
}
