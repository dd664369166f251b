package poot.core.text.reply;

import java.util.Optional;

/** A call as a tool's name, something between, and the arguments as a JSON object. */
final class NamedReader implements CallReader {
    private enum At { HEAD, ARGUMENTS, CLOSING, RUNAWAY }

    /** A head that is read: the tool, and what the model calls the call. */
    private record Head(String name, Optional<String> id) {}

    private final Frame frame;
    private final Dialect.Named spelling;
    private final StringBuilder head = new StringBuilder();
    private final BracketScan brackets = new BracketScan();
    private At at = At.HEAD;
    private Closing closing;
    private Runaway runaway;

    NamedReader(Frame frame, Dialect.Named spelling) {
        this.frame = frame;
        this.spelling = spelling;
    }

    @Override
    public Step take(char c) {
        return switch (at) {
            case HEAD -> c == '{' ? start(c) : inHead(c);
            case ARGUMENTS -> inArguments(c);
            case CLOSING -> closing.take(c);
            case RUNAWAY -> runaway.take(c);
        };
    }

    @Override
    public void end() {
        switch (at) {
            case HEAD -> frame.refuse();
            case ARGUMENTS -> frame.events.end(false);
            case CLOSING -> closing.end();
            case RUNAWAY -> runaway.end();
        }
    }

    /** White space in a head means nothing, but is given back where it was none. */
    private Step inHead(char c) {
        if (frame.isFull()) {
            return frame.refuse();
        }
        if (!MarkerScan.isSpace(c)) {
            head.append(c);
            if (!possible()) {
                return frame.refuse();
            }
        }
        frame.keep(c);
        return Step.MORE;
    }

    private Step start(char c) {
        Optional<Head> read = read();
        if (read.isEmpty()) {
            return frame.refuse();
        }
        frame.settle();
        frame.events.start(read.get().id(), read.get().name());
        at = At.ARGUMENTS;
        return inArguments(c);
    }

    private Step inArguments(char c) {
        frame.events.arguments(String.valueOf(c));
        switch (brackets.take(c)) {
            case OPEN -> { }
            case BROKEN -> {
                runaway = new Runaway(frame.events, spelling.close());
                at = At.RUNAWAY;
            }
            case CLOSED -> {
                frame.events.end(true);
                if (spelling.close().isEmpty()) {
                    return Step.CLOSED;
                }
                closing = new Closing(frame, spelling.close(), spelling.ignored());
                at = At.CLOSING;
            }
        }
        return Step.MORE;
    }

    /** Whether the head so far can still become one. */
    private boolean possible() {
        String h = head.toString();
        for (String lead : spelling.leads()) {
            if (lead.startsWith(h)) {
                return true;
            }
            if (h.startsWith(lead)) {
                for (OfferedTool tool : frame.offered.all()) {
                    if (tool.name().startsWith(h.substring(lead.length())) || tail(h, lead, tool)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean tail(String h, String lead, OfferedTool tool) {
        return h.startsWith(tool.name(), lead.length())
                && spelling.tails().stream().anyMatch(t -> t.begins(h.substring(lead.length() + tool.name().length())));
    }

    private Optional<Head> read() {
        String h = head.toString();
        for (String lead : spelling.leads()) {
            for (OfferedTool tool : frame.offered.all()) {
                if (h.startsWith(lead) && h.startsWith(tool.name(), lead.length())) {
                    String rest = h.substring(lead.length() + tool.name().length());
                    for (Tail tail : spelling.tails()) {
                        if (tail.matches(rest)) {
                            Optional<String> id = spelling.headIsId()
                                    ? Optional.of(h.substring(0, h.length() - tail.after(rest))) : tail.id(rest);
                            return Optional.of(new Head(tool.name(), id));
                        }
                    }
                }
            }
        }
        return Optional.empty();
    }
}
