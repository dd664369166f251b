package poot.api.driver;

/** The result of preparing a driver: a serving driver, or the unprepared one back with the reason. */
public sealed interface Preparation {
    /** Prepared; the unprepared driver is used up. */
    record Ready(ServingDriver driver) implements Preparation {}

    /** Refused; the same unprepared driver, as it was. */
    record Refused(UnpreparedDriver driver, PrepareFault fault) implements Preparation {}
}
