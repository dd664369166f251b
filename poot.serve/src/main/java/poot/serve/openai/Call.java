package poot.serve.openai;

import poot.serve.fault.ApiException;
import poot.serve.schema.Body;

/** What one path does with a checked body. */
@FunctionalInterface
public interface Call {
    /**
     * The answer.
     *
     * @throws ApiException         if the request is refused or fails; nothing is left running
     * @throws InterruptedException if the thread was interrupted, for the client is gone or the server stops
     */
    Answer answer(Body body, Client client) throws ApiException, InterruptedException;
}
