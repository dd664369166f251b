package poot.api.driver;

/** The result of preparing a driver: a serving driver, or the unprepared one back with the reason. */
public sealed interface Preparation {
    /** Prepared; the unprepared driver is used up. */
    record Ready(ServingDriver driver) implements Preparation {}

    /** Refused; the same unprepared driver, as it was. */
    record Refused(UnpreparedDriver driver, PrepareFault fault) implements Preparation {}

    /**
     * The serving driver, for a caller without another try in mind.
     *
     * @throws PrepareException if the preparation was refused; the unprepared driver is then closed
     */
    default ServingDriver orElseThrow() throws PrepareException {
        return switch (this) {
            case Ready r -> r.driver();
            case Refused r -> {
                r.driver().close();
                throw new PrepareException(r.fault());
            }
        };
    }
}
