package poot.core.text.reply;

import java.util.List;
import java.util.Optional;
import poot.core.json.Json;
import poot.core.text.reply.MarkerScan.Marker;

/**
 * A call as a tool's name and its parameters, each between marks of its own. Arguments come out as a JSON object made
 * of them: a parameter whose schema says string is quoted as it comes; another's value is kept until it is whole, and
 * is JSON text if it can be read as such, else a string.
 */
final class TaggedReader implements CallReader {
    private static final int LONGEST_KEY = 1024;

    private enum At { OPEN, NAME, BETWEEN, KEY, VALUE_OPEN, VALUE, CLOSING }

    private final Frame frame;
    private final Dialect.Tagged spelling;
    private final StringBuilder text = new StringBuilder();    // of the name, key or value being read
    private final Closing closing;
    private At at;
    private MarkerScan scan;
    private int opened;                                        // characters of the opening matched
    private OfferedTool tool;
    private boolean first = true;
    private boolean quoted;
    private boolean valueBegun;

    TaggedReader(Frame frame, Dialect.Tagged spelling) {
        this.frame = frame;
        this.spelling = spelling;
        this.closing = spelling.close().isEmpty() ? null : new Closing(frame, spelling.close(), "");
        this.at = spelling.open().isEmpty() ? At.NAME : At.OPEN;
        this.scan = scan(true, spelling.nameEnds());
    }

    @Override
    public Step take(char c) {
        return switch (at) {
            case OPEN -> open(c);
            case NAME -> name(c);
            case BETWEEN -> between(c);
            case KEY -> key(c);
            case VALUE_OPEN -> valueOpen(c);
            case VALUE -> value(c);
            case CLOSING -> closing.take(c);
        };
    }

    @Override
    public void end() {
        switch (at) {
            case OPEN, NAME -> frame.refuse();
            case BETWEEN, KEY, VALUE_OPEN -> frame.events.end(false);
            case VALUE -> {
                scan.flush();
                quote();
                frame.events.end(false);
            }
            case CLOSING -> closing.end();
        }
    }

    private MarkerScan scan(boolean takesSpace, List<String> markers) {
        return new MarkerScan(markers.stream().map(Marker::new).toList(), takesSpace, text::append);
    }

    private void go(At next, boolean takesSpace, List<String> markers) {
        text.setLength(0);
        scan = scan(takesSpace, markers);
        at = next;
    }

    private Step open(char c) {
        if (frame.isFull() || c != spelling.open().charAt(opened) && (opened > 0 || !MarkerScan.isSpace(c))) {
            return frame.refuse();
        }
        frame.keep(c);
        if (c == spelling.open().charAt(opened) && ++opened == spelling.open().length()) {
            at = At.NAME;
        }
        return Step.MORE;
    }

    private Step name(char c) {
        frame.keep(c);
        Marker found = scan.take(c);
        boolean possible = text.length() + scan.held().length() <= LONGEST_KEY;
        String name = possible ? text.toString().strip() : "";
        if (found == null) {
            return possible && begins(name) ? Step.MORE : frame.refuseLast();
        }
        Optional<OfferedTool> read = frame.offered.find(name);
        if (read.isEmpty()) {
            return frame.refuseLast();
        }
        tool = read.get();
        frame.settle();
        frame.events.start(Optional.empty(), tool.name());
        if (found.text().equals(spelling.keyOpen())) {
            go(At.KEY, true, List.of(spelling.keyEnd()));
        } else if (found.text().equals(spelling.callEnd())) {
            return finish();
        } else {
            go(At.BETWEEN, true, List.of(spelling.keyOpen(), spelling.callEnd()));
        }
        return Step.MORE;
    }

    private boolean begins(String name) {
        for (OfferedTool t : frame.offered.all()) {
            if (t.name().startsWith(name)) {
                return true;
            }
        }
        return false;
    }

    private Step between(char c) {
        Marker found = scan.take(c);
        if (!text.isEmpty()) {
            return stray();
        }
        if (found == null) {
            return Step.MORE;
        }
        if (found.text().equals(spelling.callEnd())) {
            return finish();
        }
        go(At.KEY, true, List.of(spelling.keyEnd()));
        return Step.MORE;
    }

    private Step key(char c) {
        Marker found = scan.take(c);
        if (text.length() > LONGEST_KEY) {
            return stray();
        }
        if (found == null) {
            return Step.MORE;
        }
        String key = text.toString();
        Boolean string = null;
        for (boolean b : new boolean[] {true, false}) {
            String mark = spelling.stringMark() + b;
            if (!spelling.stringMark().isEmpty() && key.endsWith(mark)) {
                key = key.substring(0, key.length() - mark.length());
                string = b;
            }
        }
        quoted = string != null ? string : tool.type(key).equals("string");
        frame.events.arguments((first ? "{" : ", ") + Json.text(key) + ": " + (quoted ? "\"" : ""));
        first = false;
        if (spelling.valueOpen().isEmpty()) {
            startValue();
        } else {
            go(At.VALUE_OPEN, true, List.of(spelling.valueOpen()));
        }
        return Step.MORE;
    }

    private Step valueOpen(char c) {
        Marker found = scan.take(c);
        if (!text.isEmpty()) {
            frame.events.arguments(quoted ? "\"" : "null");
            return stray();
        }
        if (found != null) {
            startValue();
        }
        return Step.MORE;
    }

    private void startValue() {
        valueBegun = false;
        go(At.VALUE, false, spelling.lines() ? List.of("\n" + spelling.valueEnd(), spelling.valueEnd())
                : List.of(spelling.valueEnd()));
    }

    private Step value(char c) {
        if (!valueBegun && spelling.lines()) {
            valueBegun = true;
            if (c == '\n') {
                return Step.MORE;
            }
        }
        Marker found = scan.take(c);
        if (quoted || text.length() > Frame.LONGEST) {
            quote();
        }
        if (found != null) {
            frame.events.arguments(quoted ? "\"" : TaggedValue.json(text.toString(), tool.parameters().isEmpty()));
            go(At.BETWEEN, true, List.of(spelling.keyOpen(), spelling.callEnd()));
        }
        return Step.MORE;
    }

    /** Hands out the value so far as part of a string. */
    private void quote() {
        String json = Json.text(text.toString());
        frame.events.arguments((quoted ? "" : "\"") + json.substring(1, json.length() - 1));
        quoted = true;
        text.setLength(0);
    }

    private Step finish() {
        frame.events.arguments(first ? "{}" : "}");
        frame.events.end(true);
        if (closing == null || spelling.callEnd().equals(spelling.close())) {
            return Step.CLOSED;
        }
        at = At.CLOSING;
        return Step.MORE;
    }

    /** What stands between parameters is none: the call ends, and that is text. */
    private Step stray() {
        frame.events.arguments(first ? "{}" : "}");
        frame.events.end(false);
        frame.keep(text);
        frame.keep(scan.held());
        frame.refuse();
        return Step.STRAY;
    }
}
