package poot.core.text.template;

import java.util.List;
import java.util.Map;

/** Text as Python sees and writes it: white space, code points, {@code str(value)} and {@code repr(value)}. */
final class PythonText {
    private PythonText() { }

    /** What {@code str.isspace} and {@code strip} call white space. */
    static boolean isSpace(int c) {
        return c >= 9 && c <= 13 || c >= 0x1c && c <= 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680
            || c >= 0x2000 && c <= 0x200a || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
    }

    /** Whether the text is white space and not empty. */
    static boolean isSpace(String text) {
        return !text.isEmpty() && text.chars().allMatch(PythonText::isSpace);
    }

    /** The text without the characters of {@code chars} (null: white space) at the sides asked for. */
    static String strip(String text, String chars, boolean left, boolean right) {
        int from = 0;
        int to = text.length();
        while (left && from < to) {
            int c = text.codePointAt(from);
            if (!stripped(c, chars)) {
                break;
            }
            from += Character.charCount(c);
        }
        while (right && from < to) {
            int c = text.codePointBefore(to);
            if (!stripped(c, chars)) {
                break;
            }
            to -= Character.charCount(c);
        }
        return text.substring(from, to);
    }

    private static boolean stripped(int c, String chars) {
        return chars == null ? isSpace(c) : chars.indexOf(c) >= 0;
    }

    /** Order by code points. */
    static int compare(String left, String right) {
        int common = Math.min(left.length(), right.length());
        for (int i = 0; i < common; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean surrogates = Character.isSurrogate(a) != Character.isSurrogate(b);
                return surrogates ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    /** {@code str(value)}: what printing shows. */
    static String str(Run run, Value value) throws TemplateException {
        if (value instanceof Value.Str str) {
            return str.text();
        }
        if (value instanceof Value.Undefined) {
            return "";
        }
        return repr(run, value);
    }

    /** {@code repr(value)}: what printing shows of a value within another. */
    static String repr(Run run, Value value) throws TemplateException {
        StringBuilder out = new StringBuilder();
        write(run, value, out);
        run.work(out.length());
        return out.toString();
    }

    private static void write(Run run, Value value, StringBuilder out) throws TemplateException {
        run.enter();
        switch (value) {
            case Value.None _ -> out.append("None");
            case Value.Bool bool -> out.append(bool.value() ? "True" : "False");
            case Value.Int integer -> {
                if (integer.value().bitLength() > 14284) {
                    throw run.value("Exceeds the limit (4300 digits) for integer string conversion");
                }
                run.work(integer.value().bitLength());
                out.append(integer.value());
            }
            case Value.Real real -> out.append(NumberText.repr(real.value()));
            case Value.Str str -> {
                run.work(str.text().length());
                run.append(out, str.markup() ? "Markup(" + quote(str.text()) + ")" : quote(str.text()));
            }
            case Value.Sequence sequence when sequence.isList() -> list(run, sequence.items(), "[", "]", out);
            case Value.Sequence tuple -> list(run, tuple.items(), "(", tuple.items().size() == 1 ? ",)" : ")", out);
            case Value.Dict dict -> dict(run, dict.entries(), out);
            case Value.View view -> list(run, Iteration.items(run, view), Names.type(view) + "([", "])", out);
            case Value.Range range -> out.append("range(").append(range.start()).append(", ")
                .append(range.stop())
                .append(range.step() == 1 ? "" : ", " + range.step()).append(')');
            case Value.Undefined _ -> out.append("Undefined");
            case Value.Namespace namespace -> {
                out.append("<Namespace ");
                dict(run, namespace.members(), out);
                out.append('>');
            }
            case Value.Macro macro -> out.append("<Macro ").append(quote(macro.definition().name())).append('>');
            case Loop loop -> out.append("<LoopContext ").append(write(run, loop, "index")).append('/')
                .append(loop.length(run)).append('>');
            case Value.Function function -> out.append("<function ").append(function.name()).append('>');
            case Generator generator -> out.append('<').append(generator.type()).append(" object>");
        }
        run.append(out, "");
        run.leave();
    }

    private static String write(Run run, Loop loop, String attribute) throws TemplateException {
        return str(run, loop.attribute(run, attribute));
    }

    private static void list(Run run, List<Value> items, String open, String close, StringBuilder out) throws TemplateException {
        String separator = open;
        for (Value item : items) {
            out.append(separator);
            write(run, item, out);
            separator = ", ";
        }
        out.append(items.isEmpty() ? open + close : close);
    }

    private static void dict(Run run, Map<Value, Value> entries, StringBuilder out) throws TemplateException {
        String separator = "{";
        for (var entry : entries.entrySet()) {
            out.append(separator);
            write(run, entry.getKey(), out);
            out.append(": ");
            write(run, entry.getValue(), out);
            separator = ", ";
        }
        out.append(entries.isEmpty() ? "{}" : "}");
    }

    /** A text in quotes, as {@code repr} shows it: single unless that would need escaping and double would not. */
    static String quote(String text) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        StringBuilder out = new StringBuilder(text.length() + 2).append(quote);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\\' -> out.append("\\\\");
                default -> {
                    if (c == quote) {
                        out.append('\\').append(quote);
                    } else if (printable(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append((c < 256 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x").formatted(c));
                    }
                }
            }
        });
        return out.append(quote).toString();
    }

    private static boolean printable(int c) {
        return c == ' ' || switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
                 Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }

    /** The text with the characters HTML takes for markup replaced, unless it is marked as markup. */
    static Value.Str escape(Value.Str str) {
        return str.markup() ? str : new Value.Str(str.text().replace("&", "&amp;").replace(">", "&gt;")
            .replace("<", "&lt;").replace("'", "&#39;").replace("\"", "&#34;"), true);
    }
}
