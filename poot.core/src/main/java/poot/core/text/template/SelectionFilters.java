package poot.core.text.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.core.text.template.TemplateException.PythonError;

/** {@code map}, {@code select}, {@code reject} and their {@code attr} forms: lazy, by a filter, test or attribute. */
final class SelectionFilters {
    static final Map<String, Filters.Filter> ALL = Map.of(
        "map", SelectionFilters::map,
        "select", (evaluator, value, arguments) -> select(evaluator, value, arguments, false, true),
        "reject", (evaluator, value, arguments) -> select(evaluator, value, arguments, false, false),
        "selectattr", (evaluator, value, arguments) -> select(evaluator, value, arguments, true, true),
        "rejectattr", (evaluator, value, arguments) -> select(evaluator, value, arguments, true, false));

    /** What is done with each item. */
    @FunctionalInterface
    private interface Transform {
        Value of(Value item) throws TemplateException;
    }

    private SelectionFilters() { }

    private static Value map(Evaluator evaluator, Value value, Arguments arguments) {
        Run run = evaluator.run();
        return lazy(run, value, () -> {
            Transform transform = transform(evaluator, arguments);
            Cursor cursor = Iteration.cursor(run, value);
            return () -> {
                Value item = cursor.next();
                return item == null ? null : transform.of(item);
            };
        });
    }

    private static Transform transform(Evaluator evaluator, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        List<Value> positional = arguments.positional();
        if (positional.isEmpty() && arguments.named().containsKey("attribute")) {
            Map<String, Value> rest = new HashMap<>(arguments.named());
            Value attribute = rest.remove("attribute");
            Value fallback = rest.remove("default");
            if (!rest.isEmpty()) {
                throw run.failed(PythonError.FILTER_ARGUMENT, "Unexpected keyword argument "
                    + PythonText.quote(rest.keySet().iterator().next()));
            }
            return ItemKey.of(run, attribute, false).orElse(fallback == Value.None.NONE ? null : fallback)::of;
        }
        if (positional.isEmpty()) {
            throw run.failed(PythonError.FILTER_ARGUMENT, "map requires a filter argument");
        }
        String filter = name(run, positional.getFirst(), "filter");
        Arguments rest = new Arguments(positional.subList(1, positional.size()), arguments.named());
        return item -> Filters.apply(evaluator, filter, item, rest);
    }

    private static Value select(Evaluator evaluator, Value value, Arguments arguments, boolean byAttribute, boolean wanted) {
        Run run = evaluator.run();
        return lazy(run, value, () -> {
            List<Value> rest = arguments.positional();
            if (byAttribute && rest.isEmpty()) {
                throw run.failed(PythonError.FILTER_ARGUMENT, "Missing parameter for attribute name");
            }
            ItemKey key = ItemKey.of(run, byAttribute ? rest.getFirst() : null, false);
            List<Value> tested = byAttribute ? rest.subList(1, rest.size()) : rest;
            String test = tested.isEmpty() ? null : name(run, tested.getFirst(), "test");
            Arguments testArguments = tested.isEmpty() ? Arguments.NONE
                : new Arguments(tested.subList(1, tested.size()), arguments.named());
            Cursor cursor = Iteration.cursor(run, value);
            return () -> {
                for (Value item = cursor.next(); item != null; item = cursor.next()) {
                    Value subject = key.of(item);
                    boolean holds = test == null ? Comparisons.truth(run, subject)
                        : Tests.apply(evaluator, test, subject, testArguments);
                    if (holds == wanted) {
                        return item;
                    }
                }
                return null;
            };
        });
    }

    private static String name(Run run, Value value, String kind) throws TemplateException {
        if (value instanceof Value.Str str) {
            return str.text();
        }
        throw run.failed(PythonError.RUNTIME, "No " + kind + " named " + PythonText.repr(run, value) + ".");
    }

    /** Where a lazy walk comes from, once the first item is asked for. */
    @FunctionalInterface
    private interface Source {
        Cursor open() throws TemplateException;
    }

    /** A generator that opens its source, and meets the source's errors, only when walked; nothing for a false value. */
    private static Value lazy(Run run, Value value, Source source) {
        Cursor[] open = {null};
        return Generator.of(() -> {
            if (open[0] == null) {
                open[0] = Comparisons.truth(run, value) ? source.open() : () -> null;
            }
            return open[0].next();
        });
    }
}
