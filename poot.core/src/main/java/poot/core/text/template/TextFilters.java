package poot.core.text.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import poot.core.text.template.TemplateException.PythonError;

/** Filters that make text. They take any value and read it as printed. */
final class TextFilters {
    private static final String TITLE_BREAKS = "-({[<";

    static final Map<String, Filters.Filter> ALL = Map.ofEntries(
        Map.entry("upper", (evaluator, value, arguments) -> method(evaluator, value, "upper", arguments)),
        Map.entry("lower", (evaluator, value, arguments) -> method(evaluator, value, "lower", arguments)),
        Map.entry("capitalize", (evaluator, value, arguments) -> method(evaluator, value, "capitalize", arguments)),
        Map.entry("trim", (evaluator, value, arguments) -> method(evaluator, value, "strip",
            Arguments.of(List.of(arguments.bind(evaluator.run(), "trim", 0, "chars").get(0, Value.None.NONE))))),
        Map.entry("center", (evaluator, value, arguments) -> method(evaluator, value, "center",
            Arguments.of(List.of(arguments.bind(evaluator.run(), "center", 0, "width").get(0, Value.of(80)))))),
        Map.entry("title", TextFilters::title),
        Map.entry("replace", TextFilters::replace),
        Map.entry("indent", TextFilters::indent),
        Map.entry("truncate", TextFilters::truncate),
        Map.entry("wordcount", TextFilters::wordCount),
        Map.entry("format", TextFilters::format),
        Map.entry("string", plain("string", TextFilters::text)),
        Map.entry("safe", plain("safe", (run, value) -> new Value.Str(PythonText.str(run, value), true))),
        Map.entry("escape", plain("escape", TextFilters::escape)),
        Map.entry("e", plain("escape", TextFilters::escape)));

    /** A filter that takes nothing. */
    @FunctionalInterface
    private interface Plain {
        Value of(Run run, Value value) throws TemplateException;
    }

    private TextFilters() { }

    private static Filters.Filter plain(String name, Plain filter) {
        return (evaluator, value, arguments) -> {
            arguments.bind(evaluator.run(), name, 0);
            return filter.of(evaluator.run(), value);
        };
    }

    /** The value as text, marked up if it already was. */
    static Value.Str text(Run run, Value value) throws TemplateException {
        return value instanceof Value.Str str ? str : Value.of(PythonText.str(run, value));
    }

    private static Value method(Evaluator evaluator, Value value, String name, Arguments arguments) throws TemplateException {
        return StringMethods.find(name).call(evaluator.run(), text(evaluator.run(), value), arguments);
    }

    private static Value escape(Run run, Value value) throws TemplateException {
        Value.Str text = text(run, value);
        run.make(6L * text.text().length());
        return PythonText.escape(text);
    }

    /** Upper case after white space, hyphens and opening brackets, lower case elsewhere. */
    private static Value title(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        arguments.bind(evaluator.run(), "title", 0);
        Value.Str text = text(evaluator.run(), value);
        evaluator.run().work(text.text().length());
        StringBuilder out = new StringBuilder();
        StringBuilder word = new StringBuilder();
        text.text().codePoints().forEach(c -> {
            if (PythonText.isSpace(c) || TITLE_BREAKS.indexOf(c) >= 0) {
                endWord(word, out);
                out.appendCodePoint(c);
            } else {
                word.appendCodePoint(c);
            }
        });
        endWord(word, out);
        return text.like(out.toString());
    }

    private static void endWord(StringBuilder word, StringBuilder out) {
        if (!word.isEmpty()) {
            int first = word.offsetByCodePoints(0, 1);
            out.append(word.substring(0, first).toUpperCase(Locale.ROOT));
            out.append(word.substring(first).toLowerCase(Locale.ROOT));
            word.setLength(0);
        }
    }

    private static Value replace(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "replace", 2, "s", "new", "count");
        int count = bound.given(2) ? bound.integer(2, -1) : -1;
        return Value.of(StringMethods.replaced(run, PythonText.str(run, value), PythonText.str(run, bound.get(0)),
            PythonText.str(run, bound.get(1)), count));
    }

    private static Value indent(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "indent", 0, "width", "first", "blank");
        String indention = bound.get(0) instanceof Value.Str text ? text.text() : spaces(run, bound.integer(0, 4));
        Value text = Operators.apply(run, Expr.Operator.ADD, value, Value.of("\n"));
        if (!(text instanceof Value.Str str)) {
            throw run.type("indent takes text, not " + Names.type(value));
        }
        List<String> lines = StringMethods.lines(run, str.text(), false);
        StringBuilder out = new StringBuilder(bound.flag(1) ? indention : "");
        for (int i = 0; i < lines.size(); i++) {
            if (i > 0) {
                run.append(out, bound.flag(2) || !lines.get(i).isEmpty() ? "\n" + indention : "\n");
            }
            run.append(out, lines.get(i));
        }
        return str.like(out.toString());
    }

    private static String spaces(Run run, int width) throws TemplateException {
        run.make(Math.max(0, width));
        return " ".repeat(Math.max(0, width));
    }

    private static Value truncate(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "truncate", 0, "length", "killwords", "end", "leeway");
        int length = bound.integer(0, 255);
        String end = bound.get(2) == null ? "..." : bound.text(2);
        int leeway = bound.given(3) ? bound.integer(3, 5) : 5;
        int ending = end.codePointCount(0, end.length());
        if (length < ending || leeway < 0) {
            throw run.failed(PythonError.ASSERTION, length < ending ? "expected length >= " + ending + ", got " + length
                : "expected leeway >= 0, got " + leeway);
        }
        if (Iteration.length(run, value) <= (long) length + leeway) {
            return value;
        }
        if (!(value instanceof Value.Str str)) {
            throw run.type("truncate takes text, not " + Names.type(value));
        }
        String cut = str.text().substring(0, str.text().offsetByCodePoints(0, length - ending));
        int space = cut.lastIndexOf(' ');
        return str.like((bound.flag(1) || space < 0 ? cut : cut.substring(0, space)) + end);
    }

    private static Value wordCount(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        arguments.bind(evaluator.run(), "wordcount", 0);
        String text = PythonText.str(evaluator.run(), value);
        evaluator.run().work(text.length());
        int words = 0;
        boolean inside = false;
        for (int c : text.codePoints().toArray()) {
            boolean word = c == '_' || Character.isLetterOrDigit(c);
            words += word && !inside ? 1 : 0;
            inside = word;
        }
        return Value.of(words);
    }

    private static Value format(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        if (!arguments.positional().isEmpty() && !arguments.named().isEmpty()) {
            throw run.failed(PythonError.FILTER_ARGUMENT, "can't handle positional and keyword arguments at the same time");
        }
        Value values = arguments.named().isEmpty() ? Value.tuple(new ArrayList<>(arguments.positional()))
            : Globals.dict(arguments.named());
        return PercentFormat.format(run, text(run, value), values);
    }
}
