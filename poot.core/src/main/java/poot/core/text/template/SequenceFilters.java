package poot.core.text.template;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.core.text.template.TemplateException.PythonError;

/** Filters over lists, dicts and whatever else can be walked. */
final class SequenceFilters {
    static final Map<String, Filters.Filter> ALL = Map.ofEntries(
        Map.entry("length", SequenceFilters::length),
        Map.entry("count", SequenceFilters::length),
        Map.entry("list", SequenceFilters::list),
        Map.entry("first", SequenceFilters::first),
        Map.entry("last", SequenceFilters::last),
        Map.entry("reverse", SequenceFilters::reverse),
        Map.entry("join", SequenceFilters::join),
        Map.entry("items", SequenceFilters::items),
        Map.entry("dictsort", SequenceFilters::dictSort),
        Map.entry("sort", SequenceFilters::sort),
        Map.entry("unique", SequenceFilters::unique),
        Map.entry("groupby", SequenceFilters::groupBy),
        Map.entry("batch", SequenceFilters::batch),
        Map.entry("slice", SequenceFilters::slice),
        Map.entry("min", (evaluator, value, arguments) -> extreme(evaluator.run(), value, arguments, Expr.Comparison.LESS)),
        Map.entry("max", (evaluator, value, arguments) -> extreme(evaluator.run(), value, arguments, Expr.Comparison.GREATER)));

    private SequenceFilters() { }

    private static Value length(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        arguments.bind(evaluator.run(), "length", 0);
        return Value.of(Iteration.length(evaluator.run(), value));
    }

    private static Value list(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        arguments.bind(evaluator.run(), "list", 0);
        return Value.list(Iteration.items(evaluator.run(), value));
    }

    private static Value first(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        arguments.bind(evaluator.run(), "first", 0);
        Value first = Iteration.cursor(evaluator.run(), value).next();
        return first != null ? first : Value.Undefined.because("No first item, sequence was empty.");
    }

    private static Value last(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        arguments.bind(evaluator.run(), "last", 0);
        if (value instanceof Value.Sequence sequence && !sequence.items().isEmpty()) {
            return sequence.items().getLast();
        }
        List<Value> reversed = Iteration.reversed(evaluator.run(), value);
        if (reversed == null) {
            throw evaluator.run().type("'" + Names.type(value) + "' object is not reversible");
        }
        return reversed.isEmpty() ? Value.Undefined.because("No last item, sequence was empty.") : reversed.getFirst();
    }

    private static Value reverse(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        arguments.bind(run, "reverse", 0);
        if (value instanceof Value.Str str) {
            return Attributes.slice(run, str, null, null, Value.of(-1));
        }
        List<Value> reversed = Iteration.reversed(run, value);
        if (reversed == null) {
            if (!Iteration.iterable(value)) {
                throw run.failed(PythonError.FILTER_ARGUMENT, "argument must be iterable");
            }
            return Value.list(Iteration.drain(run, Iteration.cursor(run, value)).reversed());
        }
        return new Generator(Names.type(value) + "_reverseiterator", Iteration.cursor(run, Value.list(reversed)));
    }

    private static Value join(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "join", 0, "d", "attribute");
        String separator = bound.get(0) == null ? "" : PythonText.str(run, bound.get(0));
        ItemKey key = ItemKey.of(run, bound.get(1), false);
        StringBuilder out = new StringBuilder();
        Cursor cursor = Iteration.cursor(run, value);
        boolean first = true;
        for (Value item = cursor.next(); item != null; item = cursor.next()) {
            run.append(out, first ? "" : separator);
            run.append(out, PythonText.str(run, key.of(item)));
            first = false;
        }
        return Value.of(out.toString());
    }

    private static Value items(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        arguments.bind(run, "items", 0);
        return switch (value) {
            case Value.Undefined _ -> Generator.of(() -> null);
            case Value.Dict dict -> Generator.of(Iteration.cursor(run, new Value.View(dict, Value.View.Part.ITEMS)));
            // Python finds out when the pairs are asked for, not before.
            default -> Generator.of(() -> {
                throw run.type("Can only get item pairs from a mapping.");
            });
        };
    }

    private static Value dictSort(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "dictsort", 0, "case_sensitive", "by", "reverse");
        String by = bound.get(1) == null ? "key" : bound.text(1);
        if (!by.equals("key") && !by.equals("value")) {
            throw run.failed(PythonError.FILTER_ARGUMENT, "You can only sort by either \"key\" or \"value\"");
        }
        if (!(value instanceof Value.Dict dict)) {
            throw value instanceof Value.Undefined undefined ? run.undefined(undefined)
                : run.type("dictsort takes a mapping, not " + Names.type(value));
        }
        ItemKey key = ItemKey.of(run, Value.of(by.equals("key") ? 0 : 1), !bound.flag(0));
        List<Value> items = Iteration.items(run, new Value.View(dict, Value.View.Part.ITEMS));
        return Value.list(Comparisons.sorted(run, items, key.ofAll(items), bound.flag(2)));
    }

    private static Value sort(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "sort", 0, "reverse", "case_sensitive", "attribute");
        List<Value> items = Iteration.items(run, value);
        List<ItemKey> parts = ItemKey.several(run, bound.get(2), !bound.flag(1));
        List<Value> keys = new ArrayList<>(items.size());
        for (Value item : items) {
            List<Value> key = new ArrayList<>();
            for (ItemKey part : parts) {
                key.add(part.of(item));
            }
            keys.add(Value.list(key));
        }
        return Value.list(Comparisons.sorted(run, items, keys, bound.flag(0)));
    }

    private static Value unique(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "unique", 0, "case_sensitive", "attribute");
        ItemKey key = ItemKey.of(run, bound.get(1), !bound.flag(0));
        Set<Value> seen = new HashSet<>();
        Cursor cursor = Iteration.cursor(run, value);
        return Generator.of(() -> {
            for (Value item = cursor.next(); item != null; item = cursor.next()) {
                if (seen.add(Comparisons.key(run, key.of(item)))) {
                    return item;
                }
            }
            return null;
        });
    }

    private static Value groupBy(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "groupby", 1, "attribute", "default", "case_sensitive");
        ItemKey key = ItemKey.of(run, bound.get(0), !bound.flag(2)).orElse(bound.given(1) ? bound.get(1) : null);
        ItemKey shown = ItemKey.of(run, bound.get(0), false).orElse(bound.given(1) ? bound.get(1) : null);
        List<Value> items = Iteration.items(run, value);
        List<Value> sorted = Comparisons.sorted(run, items, key.ofAll(items), false);
        List<Value> groups = new ArrayList<>();
        List<Value> group = null;
        Value last = null;
        for (Value item : sorted) {
            Value now = key.of(item);
            if (last == null || !Comparisons.equal(run, last, now)) {
                group = new ArrayList<>();
                groups.add(new Value.Sequence(List.of(shown.of(item), Value.list(group)), Value.Sequence.Kind.GROUP));
                last = now;
            }
            group.add(item);
        }
        return Value.list(groups);
    }

    private static Value batch(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "batch", 1, "linecount", "fill_with");
        int count = bound.integer(0, 0);
        Cursor cursor = Iteration.cursor(run, value);
        Value[] held = {null};
        return Generator.of(() -> {
            List<Value> row = new ArrayList<>();
            if (held[0] != null) {
                row.add(held[0]);
                held[0] = null;
            }
            for (Value item = cursor.next(); item != null; item = cursor.next()) {
                if (row.size() == count) {
                    held[0] = item;
                    return Value.list(row);
                }
                row.add(item);
            }
            if (row.isEmpty()) {
                return null;
            }
            fill(run, row, bound.given(1) ? count : 0, bound.get(1));
            return Value.list(row);
        });
    }

    private static void fill(Run run, List<Value> row, int size, Value filler) throws TemplateException {
        run.make(Math.max(0, size));
        while (row.size() < size) {
            row.add(filler);
        }
    }

    private static Value slice(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "slice", 1, "slices", "fill_with");
        List<Value> items = Iteration.items(run, value);
        int slices = bound.integer(0, 0);
        if (slices == 0) {
            throw run.failed(PythonError.ZERO_DIVISION, "integer division or modulo by zero");
        }
        int each = items.size() / slices;
        int longer = items.size() % slices;
        int[] at = {0, 0};
        return Generator.of(() -> {
            run.step();
            if (at[0] >= slices) {
                return null;
            }
            int size = each + (at[0] < longer ? 1 : 0);
            List<Value> part = new ArrayList<>(items.subList(at[1], at[1] + size));
            fill(run, part, at[0] >= longer && bound.given(1) ? size + 1 : 0, bound.get(1));
            at[0]++;
            at[1] += size;
            return Value.list(part);
        });
    }

    private static Value extreme(Run run, Value value, Arguments arguments, Expr.Comparison better) throws TemplateException {
        var bound = arguments.bind(run, better == Expr.Comparison.LESS ? "min" : "max", 0, "case_sensitive", "attribute");
        ItemKey key = ItemKey.of(run, bound.get(1), !bound.flag(0));
        Cursor cursor = Iteration.cursor(run, value);
        Value best = cursor.next();
        if (best == null) {
            return Value.Undefined.because("No aggregated item, sequence was empty.");
        }
        Value bestKey = key.of(best);
        for (Value item = cursor.next(); item != null; item = cursor.next()) {
            Value itemKey = key.of(item);
            if (Comparisons.ordered(run, better, itemKey, bestKey)) {
                best = item;
                bestKey = itemKey;
            }
        }
        return best;
    }
}
