package poot.core.text.reply;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import poot.core.text.reply.MarkerScan.Marker;

/**
 * A reply as messages with headers, in OpenAI's harmony format:
 * {@code <|start|>assistant<|channel|>analysis<|message|>…<|end|>}. The channel {@code analysis} is reasoning;
 * {@code final} is text, and {@code commentary} too, unless it is sent {@code to=functions.NAME}: then it is a call,
 * and the message its arguments.
 */
final class ChannelledReply implements Machine {
    private static final String START = Header.START;
    private static final String CHANNEL = Header.CHANNEL;
    private static final String CONSTRAIN = Header.CONSTRAIN;
    private static final String MESSAGE = "<|message|>";
    private static final String TO = Header.TO;
    private static final String ROLE = Header.ROLE;
    private static final int LONGEST_HEADER = 512;
    private static final int LONGEST_OPENING = 4096;

    /** The marks, all special tokens. */
    static final Set<String> MARKS = Set.of(START, CHANNEL, CONSTRAIN, MESSAGE, "<|end|>", "<|call|>", "<|return|>");

    private enum At { BETWEEN, HEADER, BODY }

    private enum To { TEXT, REASONING, CALL, RAW }

    private final Events events;
    private final Offered offered;
    private final boolean tellsReasoning;
    private final StringBuilder header = new StringBuilder();
    private final MarkerScan scan;
    private At at = At.BETWEEN;
    private To to = To.TEXT;
    private BracketScan brackets;
    private boolean whole;
    private boolean broken;
    private boolean empty;
    private int prompted;                    // characters of the header that the prompt wrote

    ChannelledReply(Events events, Offered offered, boolean tellsReasoning, String prompt) {
        this.events = events;
        this.offered = offered;
        this.tellsReasoning = tellsReasoning;
        this.scan = new MarkerScan(MARKS.stream().map(Marker::new).toList(), false, this::released);
        int opening = prompt.lastIndexOf(START + ROLE);
        if (opening >= 0 && prompt.length() - opening <= LONGEST_OPENING) {
            prompt.chars().skip(opening).forEach(c -> take((char) c));
            scan.flush();
            events.take();
            prompted = header.length();
        }
    }

    /** Whether a prompt or a rendered turn is written in this format. */
    static boolean isIn(String rendered) {
        return rendered.contains(CHANNEL) && rendered.contains(MESSAGE) || rendered.endsWith(START + ROLE);
    }

    @Override
    public void take(char c) {
        Marker found = scan.take(c);
        if (found != null) {
            switch (at) {
                case BETWEEN -> between(found.text());
                case HEADER -> inHeader(found.text());
                case BODY -> inBody(found.text());
            }
        } else if (at == At.HEADER && !possible()) {
            refuse();
        }
    }

    @Override
    public void end() {
        scan.flush();
        switch (at) {
            case BETWEEN -> { }
            case HEADER -> refuse();
            case BODY -> endBody();
        }
    }

    private void released(CharSequence text) {
        switch (at) {
            case BETWEEN -> events.text(text);
            case HEADER -> header.append(text);
            case BODY -> body(text);
        }
    }

    private void between(String mark) {
        switch (mark) {
            case START, CHANNEL -> open(mark);
            case CONSTRAIN, MESSAGE -> events.text(mark);
            default -> { }
        }
    }

    private void open(String mark) {
        header.setLength(0);
        header.append(mark);
        prompted = 0;
        at = At.HEADER;
    }

    private void inHeader(String mark) {
        switch (mark) {
            case CHANNEL, CONSTRAIN -> header.append(mark);
            case MESSAGE -> address();
            default -> {
                refuse();
                between(mark);
            }
        }
    }

    /** Whether the header so far can be one: a role, perhaps a recipient, then a channel and what belongs to it. */
    private boolean possible() {
        if (header.length() > LONGEST_HEADER) {
            return false;
        }
        String h = header.toString();
        if (h.contains(CHANNEL)) {
            return true;
        }
        h = h.startsWith(START) ? h.substring(START.length()) : h;
        if (ROLE.startsWith(h)) {
            return true;
        }
        String rest = h.startsWith(ROLE) ? h.substring(ROLE.length()).stripLeading() : "?";
        return TO.startsWith(rest) || rest.startsWith(TO);
    }

    /** The header is no header: it is text. */
    private void refuse() {
        at = At.BETWEEN;
        events.text(header.substring(prompted));
    }

    private void address() {
        Optional<Header> read = Header.read(header.toString());
        if (read.isEmpty()) {
            refuse();
            events.text(MESSAGE);
            return;
        }
        at = At.BODY;
        Optional<OfferedTool> tool = read.get().recipient().flatMap(offered::find);
        boolean analysis = read.get().channel().equals("analysis");
        if (tool.isPresent()) {
            to = To.CALL;
            brackets = new BracketScan();
            whole = false;
            broken = false;
            empty = true;
            events.start(Optional.empty(), tool.get().name());
        } else if (read.get().recipient().isPresent() || analysis && !tellsReasoning) {
            to = To.RAW;
            events.text(header.substring(prompted) + MESSAGE);
        } else {
            to = analysis ? To.REASONING : To.TEXT;
        }
    }

    private void body(CharSequence text) {
        switch (to) {
            case TEXT, RAW -> events.text(text);
            case REASONING -> events.reasoning(text);
            case CALL -> {
                for (int i = 0; i < text.length(); i++) {
                    char c = text.charAt(i);
                    if (empty && MarkerScan.isSpace(c) || whole && MarkerScan.isSpace(c)) {
                        continue;
                    }
                    empty = false;
                    events.arguments(String.valueOf(c));
                    BracketScan.State state = broken ? BracketScan.State.BROKEN : brackets.take(c);
                    whole = state == BracketScan.State.CLOSED;
                    broken = state == BracketScan.State.BROKEN;
                }
            }
        }
    }

    private void inBody(String mark) {
        switch (mark) {
            case CONSTRAIN, MESSAGE -> body(mark);
            case START, CHANNEL -> {
                endBody();
                open(mark);
            }
            default -> {
                if (to == To.RAW) {
                    events.text(mark);
                }
                endBody();
            }
        }
    }

    private void endBody() {
        at = At.BETWEEN;
        if (to == To.CALL) {
            if (empty) {
                events.arguments("{}");
            }
            events.end(whole || empty);
        }
    }
}
