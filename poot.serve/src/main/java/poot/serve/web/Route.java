package poot.serve.web;

import java.util.Optional;
import poot.serve.fault.ApiException;
import poot.serve.openai.Answer;
import poot.serve.openai.Client;
import poot.serve.schema.Body;
import poot.serve.schema.Shape;

/**
 * One method at one path.
 *
 * @param method  GET or POST
 * @param path    with {@code {id}} for a part the client chooses
 * @param summary for a person
 * @param body    what the request may say; empty for no body
 * @param open    whether it is answered without a key
 * @param handler what answers
 */
record Route(String method, String path, String summary, Optional<Shape> body, boolean open, Handler handler) {
    /** Answers a request that has been checked. */
    @FunctionalInterface
    interface Handler {
        /** The answer to a request; {@code part} is what stands for {@code {id}}. */
        Reply answer(Optional<Body> body, String part, Client client) throws ApiException, InterruptedException;
    }

    /** What is sent. */
    sealed interface Reply {
        /** JSON, or a stream of it. */
        record Api(Answer answer) implements Reply {}

        /** Text of another type. */
        record Text(int status, String type, String text) implements Reply {}

        /** A file of a page. */
        record Page(Pages.File file) implements Reply {}
    }
}
