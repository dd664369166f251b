package poot.serve.web;

import java.util.Optional;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.openai.Served;

/** What is served, from the time the port opens to its end. Safe for use by several threads. */
public final class Host {
    /** Where a server stands. */
    public enum Phase {
        /** The model is being made ready. */
        STARTING,
        /** Requests are taken. */
        READY,
        /** What runs is finished, nothing new is taken. */
        DRAINING,
        /** Over. */
        CLOSED
    }

    private Phase phase = Phase.STARTING;
    private Optional<Served> served = Optional.empty();

    /** The model is ready. */
    public synchronized void ready(Served model) {
        if (phase == Phase.STARTING) {
            served = Optional.of(model);
            phase = Phase.READY;
        }
    }

    /** Nothing new is taken. */
    public synchronized void drain() {
        if (phase != Phase.CLOSED) {
            phase = Phase.DRAINING;
        }
    }

    /** It is over. */
    public synchronized void closed() {
        phase = Phase.CLOSED;
    }

    /** Where it stands. */
    public synchronized Phase phase() {
        return phase;
    }

    /** The model, ready or draining. */
    public synchronized Optional<Served> model() {
        return served;
    }

    /** Whether new requests are taken. */
    public boolean takes() {
        return phase() == Phase.READY && model().filter(m -> m.engine().ready()).isPresent();
    }

    /**
     * The model, to serve a new request.
     *
     * @throws ApiException unless requests are taken
     */
    Served served() throws ApiException {
        return switch (phase()) {
            case STARTING -> throw new ApiException(new ApiFault.NotServing("the model is being made ready"));
            case READY -> model().orElseThrow();
            case DRAINING, CLOSED -> throw new ApiException(new ApiFault.NotServing("the server is shutting down"));
        };
    }
}
