package poot.core.text.template;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import poot.core.text.template.Arguments.Bound;

/** The methods of {@code str}. Lengths and places count code points. */
final class StringMethods {
    private static final Map<String, Method<Value.Str>> ALL = Map.ofEntries(
        plain("upper", (run, self) -> self.like(made(run, self.text().toUpperCase(Locale.ROOT)))),
        plain("lower", (run, self) -> self.like(made(run, self.text().toLowerCase(Locale.ROOT)))),
        plain("casefold", (run, self) ->
            self.like(made(run, self.text().toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT)))),
        plain("capitalize", (run, self) -> self.like(made(run, capitalized(self.text())))),
        plain("title", (run, self) -> self.like(made(run, titled(self.text())))),
        plain("swapcase", (run, self) -> self.like(made(run, swapped(self.text())))),
        Map.entry("strip", (run, self, arguments) -> strip(run, self, arguments, true, true)),
        Map.entry("lstrip", (run, self, arguments) -> strip(run, self, arguments, true, false)),
        Map.entry("rstrip", (run, self, arguments) -> strip(run, self, arguments, false, true)),
        Map.entry("split", (run, self, arguments) -> split(run, self, arguments, false)),
        Map.entry("rsplit", (run, self, arguments) -> split(run, self, arguments, true)),
        Map.entry("splitlines", (run, self, arguments) -> texts(run, self, lines(run, self.text(),
            arguments.bind(run, "splitlines", 0, "keepends").flag(0)))),
        Map.entry("partition", (run, self, arguments) -> partition(run, self, arguments, false)),
        Map.entry("rpartition", (run, self, arguments) -> partition(run, self, arguments, true)),
        Map.entry("join", StringMethods::join),
        Map.entry("replace", StringMethods::replace),
        Map.entry("startswith", (run, self, arguments) -> StringSearch.affix(run, self, arguments, "startswith")),
        Map.entry("endswith", (run, self, arguments) -> StringSearch.affix(run, self, arguments, "endswith")),
        Map.entry("removeprefix", (run, self, arguments) -> {
            String prefix = arguments.bindUnnamed(run, "removeprefix", 1, "prefix").text(0);
            return self.text().startsWith(prefix) ? self.like(self.text().substring(prefix.length())) : self;
        }),
        Map.entry("removesuffix", (run, self, arguments) -> {
            String suffix = arguments.bindUnnamed(run, "removesuffix", 1, "suffix").text(0);
            return self.text().endsWith(suffix)
                ? self.like(self.text().substring(0, self.text().length() - suffix.length())) : self;
        }),
        Map.entry("find", (run, self, arguments) -> StringSearch.find(run, self, arguments, "find")),
        Map.entry("rfind", (run, self, arguments) -> StringSearch.find(run, self, arguments, "rfind")),
        Map.entry("index", (run, self, arguments) -> StringSearch.find(run, self, arguments, "index")),
        Map.entry("rindex", (run, self, arguments) -> StringSearch.find(run, self, arguments, "rindex")),
        Map.entry("count", StringSearch::count),
        Map.entry("center", (run, self, arguments) -> pad(run, self, arguments, "center")),
        Map.entry("ljust", (run, self, arguments) -> pad(run, self, arguments, "ljust")),
        Map.entry("rjust", (run, self, arguments) -> pad(run, self, arguments, "rjust")),
        Map.entry("zfill", StringMethods::zeroFill),
        Map.entry("format", (run, self, arguments) -> self.like(new BraceFormat(run, arguments).format(self.text()))),
        Map.entry("format_map", (run, self, arguments) -> formatMap(run, self, arguments)),
        plain("isalpha", (run, self) -> every(run, self, Character::isLetter)),
        plain("isdigit", (run, self) -> every(run, self, Character::isDigit)),
        plain("isdecimal", (run, self) -> every(run, self, Character::isDigit)),
        plain("isnumeric", (run, self) -> every(run, self, c -> Character.isDigit(c)
            || Character.getType(c) == Character.OTHER_NUMBER || Character.getType(c) == Character.LETTER_NUMBER)),
        plain("isalnum", (run, self) -> every(run, self, Character::isLetterOrDigit)),
        plain("isspace", (run, self) -> every(run, self, PythonText::isSpace)),
        plain("isascii", (run, self) -> Value.of(self.text().isEmpty() || every(run, self, c -> c < 128).value())),
        plain("isupper", (run, self) -> cased(run, self, true)),
        plain("islower", (run, self) -> cased(run, self, false)));

    /** A method that takes nothing. */
    @FunctionalInterface
    private interface Plain {
        Value call(Run run, Value.Str self) throws TemplateException;
    }

    private StringMethods() { }

    private static Map.Entry<String, Method<Value.Str>> plain(String name, Plain method) {
        return Map.entry(name, (run, self, arguments) -> {
            arguments.bindUnnamed(run, name, 0);
            return method.call(run, self);
        });
    }

    /** The method of that name, or null. */
    static Method<Value.Str> find(String name) {
        return ALL.get(name);
    }

    private static String made(Run run, String text) throws TemplateException {
        run.make(text.length());
        return text;
    }

    private static Value.Bool every(Run run, Value.Str self, IntPredicate predicate) throws TemplateException {
        run.work(self.text().length());
        return Value.of(!self.text().isEmpty() && self.text().codePoints().allMatch(predicate));
    }

    private static Value cased(Run run, Value.Str self, boolean upper) throws TemplateException {
        run.work(self.text().length());
        boolean any = self.text().codePoints().anyMatch(upper ? Character::isUpperCase : Character::isLowerCase);
        return Value.of(any && self.text().codePoints().noneMatch(c -> Character.isTitleCase(c)
            || (upper ? Character.isLowerCase(c) : Character.isUpperCase(c))));
    }

    private static String capitalized(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int first = text.offsetByCodePoints(0, 1);
        return titleCase(text.codePointAt(0)) + text.substring(first).toLowerCase(Locale.ROOT);
    }

    private static String titleCase(int c) {
        String upper = Character.toString(c).toUpperCase(Locale.ROOT);
        return upper.codePointCount(0, upper.length()) > 1 ? capitalized(upper) : Character.toString(Character.toTitleCase(c));
    }

    private static String titled(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean[] inWord = {false};
        text.codePoints().forEach(c -> {
            out.append(inWord[0] ? Character.toString(c).toLowerCase(Locale.ROOT) : titleCase(c));
            inWord[0] = Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
        });
        return out.toString();
    }

    private static String swapped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> out.append(Character.isUpperCase(c)
            ? Character.toString(c).toLowerCase(Locale.ROOT) : Character.toString(c).toUpperCase(Locale.ROOT)));
        return out.toString();
    }

    private static Value strip(Run run, Value.Str self, Arguments arguments, boolean left, boolean right) throws TemplateException {
        Bound bound = arguments.bindUnnamed(run, "strip", 0, "chars");
        String chars = bound.given(0) ? bound.text(0) : null;
        run.work(self.text().length() * (chars == null ? 1L : 1L + chars.length() / 8));
        return self.like(PythonText.strip(self.text(), chars, left, right));
    }

    private static Value texts(Run run, Value.Str self, List<String> parts) throws TemplateException {
        List<Value> values = new ArrayList<>(parts.size());
        for (String part : parts) {
            values.add(self.like(part));
        }
        run.fresh(values.size());
        return Value.list(values);
    }

    private static Value split(Run run, Value.Str self, Arguments arguments, boolean right) throws TemplateException {
        Bound bound = arguments.bind(run, right ? "rsplit" : "split", 0, "sep", "maxsplit");
        int limit = bound.integer(1, -1);
        int most = limit < 0 ? Integer.MAX_VALUE : limit;
        run.make(2L * self.text().length());
        if (!bound.given(0)) {
            return texts(run, self, TextSplit.atSpace(self.text(), most, right));
        }
        String separator = bound.text(0);
        if (separator.isEmpty()) {
            throw run.value("empty separator");
        }
        run.search(self.text().length(), separator.length());
        return texts(run, self, TextSplit.at(self.text(), separator, most, right));
    }

    /** The lines of a text, with or without their ends. */
    static List<String> lines(Run run, String text, boolean keepEnds) throws TemplateException {
        run.make(text.length());
        return TextSplit.lines(text, keepEnds);
    }

    private static Value partition(Run run, Value.Str self, Arguments arguments, boolean right) throws TemplateException {
        String separator = arguments.bindUnnamed(run, "partition", 1, "sep").text(0);
        if (separator.isEmpty()) {
            throw run.value("empty separator");
        }
        run.search(self.text().length(), separator.length());
        String text = self.text();
        int at = right ? text.lastIndexOf(separator) : text.indexOf(separator);
        if (at < 0) {
            return Value.tuple(right ? List.of(self.like(""), self.like(""), self) : List.of(self, self.like(""), self.like("")));
        }
        return Value.tuple(List.of(self.like(text.substring(0, at)), self.like(separator),
            self.like(text.substring(at + separator.length()))));
    }

    private static Value join(Run run, Value.Str self, Arguments arguments) throws TemplateException {
        Cursor cursor = Iteration.cursor(run, arguments.bindUnnamed(run, "join", 1, "iterable").get(0));
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (Value item = cursor.next(); item != null; item = cursor.next(), at++) {
            if (!(item instanceof Value.Str str)) {
                throw run.type("sequence item " + at + ": expected str instance, " + Names.type(item) + " found");
            }
            run.append(out, at == 0 ? "" : self.text());
            run.append(out, self.markup() ? PythonText.escape(str).text() : str.text());
        }
        return self.like(out.toString());
    }

    private static Value replace(Run run, Value.Str self, Arguments arguments) throws TemplateException {
        Bound bound = arguments.bindUnnamed(run, "replace", 2, "old", "new", "count");
        bound.text(0);
        String with = self.markup() && bound.get(1) instanceof Value.Str str ? PythonText.escape(str).text() : bound.text(1);
        return self.like(replaced(run, self.text(), bound.text(0), with, bound.integer(2, -1)));
    }

    /** The text with the first {@code count} (all, where negative) occurrences replaced. */
    static String replaced(Run run, String text, String old, String with, int count) throws TemplateException {
        run.search(text.length(), old.length());
        StringBuilder out = new StringBuilder();
        int from = 0;
        int left = count < 0 ? Integer.MAX_VALUE : count;
        if (old.isEmpty()) {
            for (; left > 0 && from <= text.length(); left--) {
                run.append(out, with);
                int end = from < text.length() ? text.offsetByCodePoints(from, 1) : from;
                run.append(out, text.substring(from, end));
                from = end > from ? end : from + 1;
            }
            from = Math.min(from, text.length());
        } else {
            for (int at = text.indexOf(old); at >= 0 && left > 0; at = text.indexOf(old, from), left--) {
                run.append(out, text.substring(from, at));
                run.append(out, with);
                from = at + old.length();
            }
        }
        run.append(out, text.substring(from));
        return out.toString();
    }

    private static Value pad(Run run, Value.Str self, Arguments arguments, String name) throws TemplateException {
        Bound bound = arguments.bindUnnamed(run, name, 1, "width", "fillchar");
        String filler = bound.get(1) == null ? " " : bound.text(1);
        if (filler.codePointCount(0, filler.length()) != 1) {
            throw run.type("The fill character must be exactly one character long");
        }
        int width = bound.integer(0, 0);
        int missing = Math.max(0, width - Iteration.length(run, self));
        run.make((long) missing * filler.length() + self.text().length());
        int left = switch (name) {
            case "ljust" -> 0;
            case "rjust" -> missing;
            default -> missing / 2 + (missing & width & 1);
        };
        return self.like(filler.repeat(left) + self.text() + filler.repeat(missing - left));
    }

    private static Value zeroFill(Run run, Value.Str self, Arguments arguments) throws TemplateException {
        int missing = Math.max(0, arguments.bindUnnamed(run, "zfill", 1, "width").integer(0, 0) - Iteration.length(run, self));
        run.make((long) missing + self.text().length());
        boolean signed = self.text().startsWith("-") || self.text().startsWith("+");
        return self.like((signed ? self.text().substring(0, 1) : "") + "0".repeat(missing) + self.text().substring(signed ? 1 : 0));
    }

    private static Value formatMap(Run run, Value.Str self, Arguments arguments) throws TemplateException {
        if (!(arguments.bindUnnamed(run, "format_map", 1, "mapping").get(0) instanceof Value.Dict dict)) {
            throw run.type("format_map() takes a mapping");
        }
        Map<String, Value> named = new HashMap<>();
        dict.entries().forEach((key, value) -> {
            if (key instanceof Value.Str str) {
                named.put(str.text(), value);
            }
        });
        return self.like(new BraceFormat(run, new Arguments(List.of(), named)).format(self.text()));
    }
}
