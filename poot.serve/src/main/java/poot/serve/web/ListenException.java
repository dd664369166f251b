package poot.serve.web;

import poot.api.graph.Fault;

/** A port cannot be opened. */
public final class ListenException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public record CannotListen(String where, String why) implements Fault {
        @Override
        public String message() {
            return "cannot listen at " + where + ": " + why;
        }
    }

    private final transient CannotListen fault;

    ListenException(String where, Exception cause) {
        this(new CannotListen(where, root(cause)), cause);
    }

    private ListenException(CannotListen fault, Exception cause) {
        super(fault.message(), cause);
        this.fault = fault;
    }

    private static String root(Throwable t) {
        Throwable at = t;
        while (at.getCause() != null && at.getCause() != at) {
            at = at.getCause();
        }
        return at.getMessage() == null ? at.toString() : at.getMessage();
    }

    /** The facts. */
    public CannotListen fault() {
        return fault;
    }
}
