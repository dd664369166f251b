package poot.core.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import poot.api.driver.Pick;

/**
 * The text of a reply on its way to the consumer: holds back what may begin a stop string, cuts at one that is complete,
 * and keeps each token with its text. Time and memory are linear in the text.
 */
final class StopText {
    private final StopStrings stops;
    private final boolean includeStop;
    /** Chars not handed out. */
    private final StringBuilder tail = new StringBuilder();
    private final Deque<TokenText> tokens = new ArrayDeque<>();
    private int given;
    private int state = StopStrings.START;
    private Optional<String> stop = Optional.empty();

    StopText(StopStrings stops, boolean includeStop) {
        this.stops = stops;
        this.includeStop = includeStop;
    }

    /** Takes a token and the text that became certain with it; whether a stop string is complete now. */
    boolean token(Pick pick, int index, String text) {
        int offset = given + tail.length();
        int kept = scan(text);
        tokens.add(new TokenText(pick, index, offset, text));
        if (kept >= 0) {
            cut(kept);
        }
        return stop.isPresent();
    }

    /** Takes the text that was left at the end: it belongs to the last token. */
    boolean rest(String text) {
        if (text.isEmpty()) {
            return false;
        }
        int offset = given + tail.length();
        int kept = scan(text);
        TokenText last = tokens.pollLast();
        if (last != null) {
            int from = Math.min(last.offset(), offset);
            tokens.add(new TokenText(last.pick(), last.index(), from, last.text() + text));
        }
        if (kept >= 0) {
            cut(kept);
        }
        return stop.isPresent();
    }

    /** Adds to the tail until a stop string is complete; how much of the tail is text then, -1 where none is. */
    private int scan(String text) {
        for (int i = 0; i < text.length(); i++) {
            tail.append(text.charAt(i));
            state = stops.next(state, text.charAt(i));
            int match = stops.match(state);
            if (match >= 0) {
                stop = Optional.of(stops.strings().get(match));
                return includeStop ? tail.length() : tail.length() - stop.get().length();
            }
        }
        return -1;
    }

    /** Ends the text after {@code kept} chars of the tail; tokens that begin behind are dropped. */
    private void cut(int kept) {
        tail.setLength(kept);
        int end = given + kept;
        while (!tokens.isEmpty() && tokens.peekLast().offset() >= end) {
            tokens.removeLast();
        }
        TokenText last = tokens.peekLast();
        if (last != null && last.offset() + last.text().length() > end) {
            tokens.removeLast();
            tokens.add(new TokenText(last.pick(), last.index(), last.offset(), last.text().substring(0, end - last.offset())));
        }
    }

    /** The stop string that is complete. */
    Optional<String> stop() {
        return stop;
    }

    /** What is certain and not handed out yet: empty where nothing is. */
    Optional<Piece.Text> certain() {
        int safe = tail.length() - stops.held(state);
        return safe == 0 ? Optional.empty() : Optional.of(give(safe));
    }

    /** All that is left: empty where nothing is. */
    Optional<Piece.Text> all() {
        return tail.isEmpty() && tokens.isEmpty() ? Optional.empty() : Optional.of(give(tail.length()));
    }

    private Piece.Text give(int chars) {
        String text = tail.substring(0, chars);
        tail.delete(0, chars);
        given += chars;
        List<TokenText> complete = new ArrayList<>();
        while (!tokens.isEmpty() && tokens.peekFirst().offset() + tokens.peekFirst().text().length() <= given) {
            complete.add(tokens.removeFirst());
        }
        return new Piece.Text(text, complete);
    }
}
