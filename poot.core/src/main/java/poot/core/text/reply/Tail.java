package poot.core.text.reply;

import java.util.Optional;

/**
 * What stands between a tool's name and its arguments, without white space: a text, or two with an id between.
 *
 * @param before what comes first
 * @param id     whether an id and {@code end} follow
 * @param end    what comes after the id; not empty where there is one
 */
record Tail(String before, boolean id, String end) {
    /** Longest id. */
    private static final int LONGEST = 128;

    static Tail of(String text) {
        return new Tail(text, false, "");
    }

    static Tail around(String before, String end) {
        return new Tail(before, true, end);
    }

    /** Whether a text is how it can begin. */
    boolean begins(String text) {
        if (before.startsWith(text)) {
            return true;
        }
        if (!id || !text.startsWith(before)) {
            return false;
        }
        String rest = text.substring(before.length());
        int e = rest.indexOf(end.charAt(0));
        return e < 0 ? rest.length() <= LONGEST : e > 0 && end.startsWith(rest.substring(e));
    }

    /** Whether a text is one. */
    boolean matches(String text) {
        return id ? text.length() > before.length() + end.length() && text.startsWith(before) && text.endsWith(end)
                : text.equals(before);
    }

    /** The id in a text that matches. */
    Optional<String> id(String text) {
        return id ? Optional.of(text.substring(before.length(), text.length() - end.length())) : Optional.empty();
    }

    /** Characters of a text that matches that come after the id. */
    int after(String text) {
        return id ? end.length() : text.length();
    }
}
