package poot.core.text.reply;

/** Follows the brackets and strings of one JSON object or array, to know where it ends. Nothing but that is checked. */
final class BracketScan {
    /** Levels that may be open at once. */
    static final int DEEPEST = 512;

    /** What is known after a character. */
    enum State {
        /** Brackets are open. */
        OPEN,
        /** The character closed the last bracket. */
        CLOSED,
        /** A bracket closes what it did not open, nothing is open, or too much is. */
        BROKEN
    }

    private final boolean[] objects = new boolean[DEEPEST];
    private int depth;
    private boolean inString;
    private boolean escaped;

    State take(char c) {
        if (inString) {
            if (escaped) {
                escaped = false;
            } else if (c == '\\') {
                escaped = true;
            } else if (c == '"') {
                inString = false;
            }
            return State.OPEN;
        }
        return switch (c) {
            case '{', '[' -> {
                if (depth == DEEPEST) {
                    yield State.BROKEN;
                }
                objects[depth++] = c == '{';
                yield State.OPEN;
            }
            case '}', ']' -> {
                if (depth == 0 || objects[depth - 1] != (c == '}')) {
                    yield State.BROKEN;
                }
                yield --depth == 0 ? State.CLOSED : State.OPEN;
            }
            case '"' -> {
                inString = depth > 0;
                yield depth > 0 ? State.OPEN : State.BROKEN;
            }
            default -> depth > 0 ? State.OPEN : State.BROKEN;
        };
    }
}
