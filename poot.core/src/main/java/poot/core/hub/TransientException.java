package poot.core.hub;

import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;

/** A request failed in a way that another attempt may mend; {@link #fault} is what to say if it does not. */
final class TransientException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient HubFault fault;
    private final transient Duration wait;

    /** @param wait what the server asked for, or zero */
    TransientException(HubFault fault, Duration wait, Throwable cause) {
        super(fault.message(), cause);
        this.fault = fault;
        this.wait = wait;
    }

    HubFault fault() {
        return fault;
    }

    /** True if no connection was made at all. */
    boolean isUnconnected() {
        return getCause() instanceof ConnectException || getCause() instanceof HttpConnectTimeoutException;
    }

    Duration asked() {
        return wait;
    }
}
