package poot.serve.web;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import poot.serve.json.JsonText;
import poot.serve.openai.Answer;
import tools.jackson.databind.node.ObjectNode;

/** Server-sent events (HTML Living Standard, section 9.2) to one client, who has to take each within a time. */
final class Sse implements Answer.Sink {
    private static final byte[] DATA = bytes("data: ");
    private static final byte[] END = bytes("\n\n");
    private static final byte[] DONE = bytes("data: [DONE]\n\n");
    private static final byte[] BEAT = bytes(": \n\n");

    private final OutputStream out;
    private final Line line;
    private final Duration limit;

    Sse(OutputStream out, Line line, Duration limit) {
        this.out = out;
        this.line = line;
        this.limit = limit;
    }

    @Override
    public void event(String name, ObjectNode data) throws IOException {
        byte[] json = JsonText.bytes(data);
        byte[] head = name.isEmpty() ? DATA : bytes("event: " + name + "\ndata: ");
        byte[] all = new byte[head.length + json.length + END.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(json, 0, all, head.length, json.length);
        System.arraycopy(END, 0, all, head.length + json.length, END.length);
        write(all);
    }

    @Override
    public void done() throws IOException {
        write(DONE);
    }

    @Override
    public void beat() throws IOException {
        write(BEAT);
    }

    private void write(byte[] bytes) throws IOException {
        line.within(limit);
        out.write(bytes);
        out.flush();
        line.inTime();
    }

    private static byte[] bytes(String s) {
        return s.getBytes(StandardCharsets.UTF_8);
    }
}
