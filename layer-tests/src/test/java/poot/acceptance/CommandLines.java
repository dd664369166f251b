package poot.acceptance;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.StreamSupport;
import poot.serve.command.PootCommand;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs command lines one after another in one process of the packaged command, in place of as many processes. Each line
 * of standard input is {@code {"words": [...], "in": "..."}}; after each command {@link #END}, its exit status and a
 * newline go to both streams.
 */
final class CommandLines {
    /** What no command writes. */
    static final String END = "\u0001end of command: status ";

    private CommandLines() {}

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String started = END + "0\n";
        err.print(started);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode command = JsonMapper.shared().readTree(line);
            System.setIn(new ByteArrayInputStream(command.get("in").asString().getBytes(StandardCharsets.UTF_8)));
            String[] words = StreamSupport.stream(command.get("words").spliterator(), false)
                    .map(JsonNode::asString).toArray(String[]::new);
            String end = END + PootCommand.execute(words) + "\n";
            out.print(end);
            err.print(end);
        }
    }
}
