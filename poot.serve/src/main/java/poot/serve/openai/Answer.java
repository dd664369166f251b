package poot.serve.openai;

import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/** What a request is answered with. */
public sealed interface Answer {
    /** One object. */
    record Whole(ObjectNode body) implements Answer {}

    /** Events, as they come; closed in any case, which ends what is still running. */
    non-sealed interface Events extends Answer, AutoCloseable {
        /**
         * Sends every event.
         *
         * @throws IOException if the client has gone
         */
        void send(Sink sink) throws IOException, InterruptedException;

        @Override
        void close();
    }

    /** Where events go. */
    interface Sink {
        /** Sends an event; {@code name} is empty for one without. */
        void event(String name, ObjectNode data) throws IOException;

        /** Sends the end mark of a stream of chunks. */
        void done() throws IOException;

        /** Sends nothing a client reads, which shows whether it is still there. */
        void beat() throws IOException;
    }
}
