package poot.matrix;

import poot.api.driver.PrepareFault;
import poot.api.executor.ExecutorException;
import poot.api.graph.Fault;
import poot.core.compile.CompileException;

/**
 * What came of one attempt.
 *
 * @param lacks   the capability that is missing; empty where nothing is
 * @param message the refusal, with the equation
 */
record Verdict(String lacks, String message) {
    /** Prepared. */
    static final Verdict RUNS = new Verdict("", "");

    /** Something that may be refused. */
    @FunctionalInterface
    interface Attempt {
        void run() throws CompileException, ExecutorException;
    }

    /** What an attempt gives. */
    static Verdict of(Attempt attempt) {
        try {
            attempt.run();
            return RUNS;
        } catch (CompileException e) {
            return refused(e.fault());
        } catch (ExecutorException e) {
            return refused(e.fault());
        }
    }

    /** A refusal. */
    static Verdict refused(Fault f) {
        return switch (f) {
            case PrepareFault.Uncompilable u -> refused(u.fault());
            case PrepareFault.Device d -> refused(d.fault());
            case CompileException.Refused r -> new Verdict(r.capability(), f.message());
            case ExecutorException.Unsupported u -> new Verdict(u.capability(), f.message());
            default -> new Verdict(f.message(), f.message());
        };
    }

    boolean runs() {
        return lacks.isEmpty();
    }
}
