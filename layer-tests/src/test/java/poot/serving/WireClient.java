package poot.serving;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/** One completion on a connection of its own, read as one of several kinds of clients reads it. */
final class WireClient {
    /** What a client does. */
    enum Kind {
        /** Reads a stream as fast as it comes. */
        READS,
        /** Takes little at a time, and rests between. */
        SLOW,
        /** Waits for the whole answer. */
        WAITS,
        /** Closes its connection after some events. */
        LEAVES,
        /** Waits for the whole answer, and closes its connection before it comes. */
        GIVES_UP
    }

    /**
     * What came.
     *
     * @param text  of the choice, as far as it came
     * @param whole whether the answer came to its end
     */
    record Outcome(String text, boolean whole) {}

    private static final int SMALL = 1024;
    private static final int TIMEOUT = 120_000;

    private final int port;
    private final Kind kind;
    private final Random random;

    WireClient(int port, Kind kind, Random random) {
        this.port = port;
        this.kind = kind;
        this.random = random;
    }

    /** Sends a body, without its {@code stream}, and reads the answer. */
    Outcome ask(String body) throws IOException, InterruptedException {
        boolean stream = kind == Kind.READS || kind == Kind.SLOW || kind == Kind.LEAVES;
        byte[] bytes = (body.substring(0, body.length() - 1) + ",\"stream\":" + stream + "}").getBytes(StandardCharsets.UTF_8);
        try (Socket s = new Socket()) {
            if (kind == Kind.SLOW) {
                s.setReceiveBufferSize(SMALL);
            }
            s.setSoTimeout(TIMEOUT);
            s.connect(new InetSocketAddress("127.0.0.1", port));
            s.getOutputStream().write(("POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n"
                    + "Content-Length: " + bytes.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            s.getOutputStream().write(bytes);
            if (kind == Kind.GIVES_UP) {
                Thread.sleep(random.nextInt(60));
                // Half of them are reset, as by a process that was killed.
                s.setSoLinger(random.nextBoolean(), 0);
                return new Outcome("", false);
            }
            InputStream in = s.getInputStream();
            String head = head(in);
            if (!head.startsWith("HTTP/1.1 200 ")) {
                throw new AssertionError(head + new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
            return stream ? events(in, s) : whole(in);
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder out = new StringBuilder();
        for (String line; !(line = line(in)).isEmpty(); ) {
            out.append(line).append('\n');
        }
        return out.toString();
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int b; (b = in.read()) != '\n'; ) {
            if (b < 0) {
                throw new EOFException("the connection ended within a line: " + out.toString(StandardCharsets.UTF_8));
            }
            out.write(b);
        }
        return out.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    private static Outcome whole(InputStream in) throws IOException {
        JsonNode choice = Site.read(new String(in.readAllBytes(), StandardCharsets.UTF_8)).get("choices").get(0);
        return new Outcome(choice.get("text").stringValue(), true);
    }

    /** Server-sent events in chunks, an event in one or more. */
    private Outcome events(InputStream in, Socket socket) throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder();
        StringBuilder pending = new StringBuilder();
        int patience = kind == Kind.LEAVES ? random.nextInt(12) : Integer.MAX_VALUE;
        boolean done = false;
        for (int size; (size = Integer.parseInt(line(in), 16)) > 0; ) {
            if (kind == Kind.SLOW && random.nextInt(8) == 0) {
                Thread.sleep(random.nextInt(30));
            }
            byte[] chunk = in.readNBytes(size);
            line(in);
            pending.append(new String(chunk, StandardCharsets.UTF_8));
            for (int end; (end = pending.indexOf("\n\n")) >= 0; pending.delete(0, end + 2)) {
                String event = pending.substring(0, end);
                if (event.equals("data: [DONE]")) {
                    done = true;
                } else if (event.startsWith("data: ")) {
                    text.append(text(event.substring("data: ".length())));
                    if (patience-- == 0) {
                        socket.setSoLinger(random.nextBoolean(), 0);
                        return new Outcome(text.toString(), false);
                    }
                }
            }
        }
        if (!done) {
            throw new AssertionError("a stream that ended without its last event: " + text);
        }
        return new Outcome(text.toString(), true);
    }

    private static String text(String json) {
        JsonNode event = Site.read(json);
        if (event.has("error")) {
            throw new AssertionError(json);
        }
        return event.get("choices").get(0).get("text").stringValue();
    }
}
