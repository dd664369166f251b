package poot.serve.command;

import poot.api.driver.Generation;

/** How a finished generation ends a command. */
final class Outcome {
    private Outcome() {}

    /** 0, or 1 after saying what failed. */
    static int of(Generation g, Console console) {
        return switch (g.finish()) {
            case STOP, LENGTH, CANCELLED -> 0;
            case CAPACITY -> {
                console.err().println("poot: the context is full; a larger one may be given with --context");
                yield 0;
            }
            case FAILED -> {
                g.fault().ifPresent(f -> console.err().println("poot: " + f.message()));
                yield 1;
            }
        };
    }
}
