package poot.core.text.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** {@code split}, {@code rsplit} and {@code splitlines}. Linear in the text. */
final class TextSplit {
    private TextSplit() { }

    /** The parts between separators, at most {@code most} of which split, from the left or the right. */
    static List<String> at(String text, String separator, int most, boolean right) {
        List<String> parts = new ArrayList<>();
        int left = most;
        if (right) {
            int to = text.length();
            for (int i = text.lastIndexOf(separator); i >= 0 && left > 0; left--) {
                parts.add(text.substring(i + separator.length(), to));
                to = i;
                i = to - separator.length() < 0 ? -1 : text.lastIndexOf(separator, to - separator.length());
            }
            parts.add(text.substring(0, to));
            Collections.reverse(parts);
            return parts;
        }
        int from = 0;
        for (int i = text.indexOf(separator); i >= 0 && left > 0; i = text.indexOf(separator, from), left--) {
            parts.add(text.substring(from, i));
            from = i + separator.length();
        }
        parts.add(text.substring(from));
        return parts;
    }

    /** The parts between runs of white space, none of them empty. */
    static List<String> atSpace(String text, int most, boolean right) {
        return right ? atSpaceFromRight(text, most) : atSpaceFromLeft(text, most);
    }

    private static List<String> atSpaceFromLeft(String text, int most) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        while (true) {
            while (from < text.length() && PythonText.isSpace(text.charAt(from))) {
                from++;
            }
            if (from == text.length()) {
                return parts;
            }
            if (parts.size() == most) {
                parts.add(text.substring(from));
                return parts;
            }
            int to = from;
            while (to < text.length() && !PythonText.isSpace(text.charAt(to))) {
                to++;
            }
            parts.add(text.substring(from, to));
            from = to;
        }
    }

    private static List<String> atSpaceFromRight(String text, int most) {
        List<String> parts = new ArrayList<>();
        int to = text.length();
        while (true) {
            while (to > 0 && PythonText.isSpace(text.charAt(to - 1))) {
                to--;
            }
            if (to > 0 && parts.size() < most) {
                int from = to;
                while (from > 0 && !PythonText.isSpace(text.charAt(from - 1))) {
                    from--;
                }
                parts.add(text.substring(from, to));
                to = from;
                continue;
            }
            if (to > 0) {
                parts.add(text.substring(0, to));
            }
            Collections.reverse(parts);
            return parts;
        }
    }

    static List<String> lines(String text, boolean keepEnds) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            if (endsLine(text.charAt(i))) {
                int end = text.startsWith("\r\n", i) ? i + 2 : i + 1;
                lines.add(text.substring(from, keepEnds ? end : i));
                from = end;
                i = end - 1;
            }
        }
        if (from < text.length()) {
            lines.add(text.substring(from));
        }
        return lines;
    }

    private static boolean endsLine(char c) {
        return c >= '\n' && c <= '\r' || c >= 0x1c && c <= 0x1e || c == 0x85 || c == 0x2028 || c == 0x2029;
    }
}
