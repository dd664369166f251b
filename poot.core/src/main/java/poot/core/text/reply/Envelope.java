package poot.core.text.reply;

import java.util.Optional;

/**
 * One JSON object that says which tool is called and how: {@code {"name": …, "arguments": {…}}}, its entries in any
 * order, others among them; the OpenAI form, with these inside an entry {@code function}; or, where it is
 * {@code keyed}, {@code {NAME: {…}}}. The call starts once name and arguments are met, and ends with the arguments.
 */
final class Envelope {
    /** What a character was. */
    enum State {
        MORE,
        /** The last of the object. */
        DONE,
        /** No part of a call. */
        BAD,
        /** Arguments, which went wrong: only an end marker can tell where they end. */
        RUNAWAY
    }

    private enum At { OPEN, KEY, IN_KEY, COLON, VALUE, NAME, ID, OBJECT, STRING, SKIP_STRING, SKIP_NEST, SKIP_SCALAR, AFTER }

    private final Frame frame;
    private final boolean keyed;
    private final StringBuilder text = new StringBuilder();   // of the key or string being read
    private final StringBuilder early = new StringBuilder();  // arguments met before the name
    private At at = At.OPEN;
    private StringScan string;
    private BracketScan brackets;
    private Optional<String> name = Optional.empty();
    private Optional<String> id = Optional.empty();
    private boolean nested;
    private boolean started;
    private boolean ended;
    private boolean earlyWhole;

    Envelope(Frame frame, boolean keyed) {
        this.frame = frame;
        this.keyed = keyed;
    }

    /** The next character, which the frame has kept. */
    State take(char c) {
        if (frame.isFull()) {
            return State.BAD;
        }
        boolean space = MarkerScan.isSpace(c);
        return switch (at) {
            case OPEN -> c == '{' ? go(At.KEY) : space ? State.MORE : State.BAD;
            case KEY -> c == '"' ? string(At.IN_KEY) : c == '}' ? close() : space ? State.MORE : State.BAD;
            case COLON -> c == ':' ? go(At.VALUE) : space ? State.MORE : State.BAD;
            case VALUE -> space ? State.MORE : value(c);
            case IN_KEY, NAME, ID, SKIP_STRING -> inString(c);
            case OBJECT -> inObject(c);
            case STRING -> inArgumentString(c);
            case SKIP_NEST -> switch (brackets.take(c)) {
                case OPEN -> State.MORE;
                case CLOSED -> go(At.AFTER);
                case BROKEN -> State.BAD;
            };
            case SKIP_SCALAR -> c == ',' || c == '}' || space ? after(c) : isScalar(c) ? State.MORE : State.BAD;
            case AFTER -> space ? State.MORE : after(c);
        };
    }

    /** The reply ended inside: true if a call had started, whose end is told then at the latest. */
    boolean end() {
        if (started && !ended) {
            frame.events.end(false);
        }
        return started;
    }

    private State go(At next) {
        at = next;
        return State.MORE;
    }

    private State string(At next) {
        text.setLength(0);
        string = new StringScan(text);
        return go(next);
    }

    private State after(char c) {
        at = At.AFTER;
        return c == ',' ? go(At.KEY) : c == '}' ? close() : MarkerScan.isSpace(c) ? State.MORE : State.BAD;
    }

    private State value(char c) {
        String key = text.toString();
        boolean call = switch (key) {
            case "arguments", "parameters", "args" -> true;
            default -> keyed && name.isEmpty() && named(key);
        };
        if (call && !started && early.isEmpty()) {
            return c == '{' ? arguments(c) : c == '"' ? argumentString() : State.BAD;
        }
        if (c == '"') {
            return switch (key) {
                case "name", "tool_name", "function" -> string(name.isPresent() ? At.SKIP_STRING : At.NAME);
                case "id", "tool_call_id", "call_id" -> string(At.ID);
                default -> string(At.SKIP_STRING);
            };
        }
        if (c == '{' && key.equals("function") && !nested && !keyed) {
            nested = true;
            return go(At.KEY);
        }
        if (c == '{' || c == '[') {
            brackets = new BracketScan();
            brackets.take(c);
            return go(At.SKIP_NEST);
        }
        return isScalar(c) ? go(At.SKIP_SCALAR) : State.BAD;
    }

    private State inString(char c) {
        switch (string.take(c)) {
            case MORE -> {
                return State.MORE;
            }
            case BAD -> {
                return State.BAD;
            }
            case END -> { }
        }
        switch (at) {
            case IN_KEY -> {
                return go(At.COLON);
            }
            case NAME -> {
                if (!named(text.toString())) {
                    return State.BAD;
                }
                if (!early.isEmpty()) {
                    start();
                    finish(earlyWhole);
                }
            }
            case ID -> id = Optional.of(text.toString());
            default -> { }
        }
        return go(At.AFTER);
    }

    private boolean named(String written) {
        name = frame.offered.find(written).map(OfferedTool::name);
        return name.isPresent();
    }

    private State arguments(char c) {
        at = At.OBJECT;
        brackets = new BracketScan();
        if (name.isPresent()) {
            start();
        }
        return inObject(c);
    }

    private State argumentString() {
        string(At.STRING);
        brackets = new BracketScan();
        earlyWhole = false;
        if (name.isPresent()) {
            start();
        }
        return State.MORE;
    }

    private State inObject(char c) {
        BracketScan.State state = brackets.take(c);
        if (started) {
            frame.events.arguments(String.valueOf(c));
            frame.settle();
        } else {
            early.append(c);
        }
        return switch (state) {
            case OPEN -> State.MORE;
            case CLOSED -> {
                if (started) {
                    finish(true);
                }
                earlyWhole = true;
                yield go(At.AFTER);
            }
            case BROKEN -> started ? State.RUNAWAY : State.BAD;
        };
    }

    /** Arguments as JSON text inside a string, which some models write. */
    private State inArgumentString(char c) {
        StringScan.State state = string.take(c);
        if (state == StringScan.State.BAD) {
            return started ? State.RUNAWAY : State.BAD;
        }
        for (int i = 0; i < text.length(); i++) {
            earlyWhole = brackets.take(text.charAt(i)) == BracketScan.State.CLOSED
                    || earlyWhole && MarkerScan.isSpace(text.charAt(i));
        }
        if (started) {
            frame.events.arguments(text);
            frame.settle();
        } else {
            early.append(text);
        }
        text.setLength(0);
        if (state == StringScan.State.END) {
            if (started) {
                finish(earlyWhole);
            } else if (early.isEmpty()) {
                return State.BAD;
            }
            return go(At.AFTER);
        }
        return State.MORE;
    }

    private void start() {
        frame.events.start(id, name.orElseThrow());
        frame.events.arguments(early);
        frame.settle();
        started = true;
    }

    private void finish(boolean whole) {
        frame.events.end(whole);
        frame.settle();
        ended = true;
    }

    /** The object, or the inner one of two, ends. */
    private State close() {
        if (nested) {
            nested = false;
            return go(At.AFTER);
        }
        if (!started) {
            if (name.isEmpty()) {
                return State.BAD;
            }
            early.append("{}");
            start();
            finish(true);
        }
        return State.DONE;
    }

    private static boolean isScalar(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.';
    }
}
