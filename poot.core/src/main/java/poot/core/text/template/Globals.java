package poot.core.text.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.core.text.template.TemplateException.PythonError;
import poot.core.text.template.TemplateException.Raised;

/** The functions every template has: jinja2's {@code range}, {@code dict}, {@code namespace}, and transformers' two. */
final class Globals {
    /** The longest range the sandbox makes. */
    private static final int MAX_RANGE = 100_000;

    static final Map<String, Value> ALL = Map.of(
        "range", new Value.Function("range", Globals::range),
        "dict", new Value.Function("dict", (evaluator, arguments) -> new Value.Dict(entries(evaluator.run(), arguments))),
        "namespace", new Value.Function("namespace",
            (evaluator, arguments) -> new Value.Namespace(entries(evaluator.run(), arguments))),
        "raise_exception", new Value.Function("raise_exception", Globals::raise),
        "strftime_now", new Value.Function("strftime_now", Globals::now));

    private Globals() { }

    /** A dict of named values. */
    static Value.Dict dict(Map<String, Value> named) {
        Map<Value, Value> entries = new LinkedHashMap<>();
        named.forEach((name, value) -> entries.put(Value.of(name), value));
        return new Value.Dict(entries);
    }

    private static Value range(Evaluator evaluator, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        List<Value> bounds = arguments.positional();
        if (bounds.isEmpty() || bounds.size() > 3 || !arguments.named().isEmpty()) {
            throw run.type("range expected 1 to 3 arguments, got " + (bounds.size() + arguments.named().size()));
        }
        long[] numbers = new long[3];
        for (int i = 0; i < bounds.size(); i++) {
            numbers[i] = Numbers.index(run, bounds.get(i));
        }
        long start = bounds.size() == 1 ? 0 : numbers[0];
        long stop = bounds.size() == 1 ? numbers[0] : numbers[1];
        long step = bounds.size() == 3 ? numbers[2] : 1;
        if (step == 0) {
            throw run.value("range() arg 3 must not be zero");
        }
        long length = Math.max(0, step > 0 ? (stop - start + step - 1) / step : (start - stop - step - 1) / -step);
        if (length > MAX_RANGE) {
            throw run.failed(PythonError.OVERFLOW,
                "Range too big. The sandbox blocks ranges larger than MAX_RANGE (" + MAX_RANGE + ").");
        }
        return new Value.Range(start, stop, step, (int) length);
    }

    private static Map<Value, Value> entries(Run run, Arguments arguments) throws TemplateException {
        if (arguments.positional().size() > 1) {
            throw run.type("dict expected at most 1 argument, got " + arguments.positional().size());
        }
        Map<Value, Value> entries = new LinkedHashMap<>();
        if (!arguments.positional().isEmpty()) {
            Value source = arguments.positional().getFirst();
            if (source instanceof Value.Undefined undefined) {
                throw run.undefined(undefined);
            }
            Cursor cursor = Iteration.cursor(run, source instanceof Value.Dict dict
                ? new Value.View(dict, Value.View.Part.ITEMS) : source);
            for (Value item = cursor.next(); item != null; item = cursor.next()) {
                List<Value> pair = Iteration.iterable(item) ? Iteration.items(run, item) : List.of();
                if (pair.size() != 2) {
                    throw run.value("dictionary update sequence element #" + entries.size() + " has length " + pair.size()
                        + "; 2 is required");
                }
                run.fresh(1);
                entries.put(Comparisons.key(run, pair.getFirst()), pair.getLast());
            }
        }
        arguments.named().forEach((name, value) -> entries.put(Value.of(name), value));
        return entries;
    }

    private static Value raise(Evaluator evaluator, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        String reason = PythonText.str(run, arguments.bind(run, "raise_exception", 1, "message").get(0));
        throw run.fault(new Raised(run.template(), run.line(), reason));
    }

    private static Value now(Evaluator evaluator, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        return Value.of(Strftime.format(run, arguments.bind(run, "strftime_now", 1, "format").text(0)));
    }
}
