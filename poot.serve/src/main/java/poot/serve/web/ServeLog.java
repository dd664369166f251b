package poot.serve.web;

import java.time.Instant;
import java.util.function.Consumer;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ObjectNode;

/** Lines of JSON, one an event: time, event, and what belongs to it. No text of a request or an answer is among it. */
public final class ServeLog {
    private final Consumer<String> lines;

    /** A log whose lines go there. */
    public ServeLog(Consumer<String> lines) {
        this.lines = lines;
    }

    /** A line to be filled and {@linkplain #write written}. */
    public ObjectNode line(String event) {
        return JsonText.object().put("time", Instant.now().toString()).put("event", event);
    }

    /** Writes a line. */
    public void write(ObjectNode line) {
        lines.accept(JsonText.write(line));
    }

    /** A fault of the server, with where it was thrown. */
    public void fault(String request, Throwable thrown) {
        ObjectNode line = line("fault").put("request", request).put("thrown", thrown.toString());
        var trace = line.putArray("trace");
        for (StackTraceElement e : thrown.getStackTrace()) {
            if (trace.size() < 30) {
                trace.add(e.toString());
            }
        }
        write(line);
    }
}
