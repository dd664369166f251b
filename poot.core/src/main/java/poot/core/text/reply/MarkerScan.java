package poot.core.text.reply;

import java.util.List;
import java.util.function.Consumer;

/**
 * Finds markers in text that comes character by character. Text is released as soon as it cannot be part of a marker;
 * where a marker takes the white space before it along, so is a run of white space, up to {@link #LONGEST_SPACE}. No
 * marker may begin with another.
 */
final class MarkerScan {
    static final int LONGEST_SPACE = 64;

    /**
     * A text to look for.
     *
     * @param atStart whether it counts only before anything but white space was released
     */
    record Marker(String text, boolean atStart) {
        Marker(String text) {
            this(text, false);
        }
    }

    private final List<Marker> anywhere;
    private final boolean takesSpace;
    private final Consumer<? super CharSequence> released;
    private final StringBuilder held = new StringBuilder();
    private List<Marker> active;
    private String matched = "";

    MarkerScan(List<Marker> markers, boolean takesSpace, Consumer<? super CharSequence> released) {
        this.active = markers;
        this.anywhere = markers.stream().filter(m -> !m.atStart()).toList();
        this.takesSpace = takesSpace;
        this.released = released;
    }

    /** The next character; the marker it completes, or null. */
    Marker take(char c) {
        held.append(c);
        while (!held.isEmpty()) {
            int start = takesSpace ? space() : 0;
            if (start == held.length()) {
                if (start > LONGEST_SPACE) {
                    release(start);
                }
                return null;
            }
            boolean possible = false;
            for (Marker m : active) {
                if (begins(m.text(), start)) {
                    if (m.text().length() == held.length() - start) {
                        matched = held.toString();
                        held.setLength(0);
                        return m;
                    }
                    possible = true;
                }
            }
            if (possible) {
                return null;
            }
            release(start + 1);
        }
        return null;
    }

    /** The marker found last with the white space it took along. */
    String matched() {
        return matched;
    }

    /** Releases what is held back. */
    void flush() {
        release(held.length());
    }

    /** Takes text in which no marker counts, while nothing is held; of its end, what can begin one is held again. */
    void putBack(String text) {
        held.append(text);
        int from = 0;
        while (from < text.length() && !mayBegin(text, from)) {
            from++;
        }
        release(from);
    }

    private boolean mayBegin(String text, int from) {
        int start = from;
        while (takesSpace && start < text.length() && start - from < LONGEST_SPACE && isSpace(text.charAt(start))) {
            start++;
        }
        int length = text.length() - start;
        for (Marker m : anywhere) {
            if (length < m.text().length() && m.text().regionMatches(0, text, start, length)) {
                return true;
            }
        }
        return false;
    }

    /** What is held back. */
    CharSequence held() {
        return held;
    }

    private void release(int length) {
        for (int i = 0; i < length && active != anywhere; i++) {
            if (!isSpace(held.charAt(i))) {
                active = anywhere;
            }
        }
        released.accept(held.substring(0, length));
        held.delete(0, length);
    }

    private int space() {
        int i = 0;
        while (i < held.length() && isSpace(held.charAt(i))) {
            i++;
        }
        return i;
    }

    /** Whether what is held from {@code start} on is how a marker begins. */
    private boolean begins(String marker, int start) {
        int length = held.length() - start;
        if (length > marker.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (held.charAt(start + i) != marker.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }
}
