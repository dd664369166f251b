package poot.core.text.template;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** What can be walked, how, and how long it is. */
final class Iteration {
    private Iteration() { }

    static boolean iterable(Value value) {
        return switch (value) {
            case Value.Str _, Value.Sequence _, Value.Dict _, Value.View _, Value.Range _, Value.Undefined _,
                 Generator _, Loop _ -> true;
            case Value.None _, Value.Bool _, Value.Int _, Value.Real _, Value.Namespace _, Value.Function _,
                 Value.Macro _ -> false;
        };
    }

    /** A walk over a value; every item costs a step. */
    static Cursor cursor(Run run, Value value) throws TemplateException {
        return switch (value) {
            case Value.Str str -> characters(run, str);
            case Value.Sequence sequence -> over(run, sequence.items().iterator());
            case Value.Dict dict -> over(run, dict.entries().keySet().iterator());
            case Value.View view -> view(run, view);
            case Value.Range range -> {
                int[] at = {0};
                yield () -> {
                    run.step();
                    return at[0] < range.length() ? Value.of(range.start() + range.step() * at[0]++) : null;
                };
            }
            case Value.Undefined _ -> () -> null;
            case Generator generator -> () -> {
                run.enter();
                Value next = generator.cursor().next();
                run.leave();
                return next;
            };
            case Loop loop -> () -> {
                run.enter();
                Value next = loop.advance();
                run.leave();
                return next == null ? null : Value.tuple(List.of(next, loop));
            };
            case Value.None _, Value.Bool _, Value.Int _, Value.Real _, Value.Namespace _, Value.Function _,
                 Value.Macro _ -> throw run.type("'" + Names.type(value) + "' object is not iterable");
        };
    }

    private static Cursor over(Run run, Iterator<Value> items) {
        return () -> {
            run.step();
            return items.hasNext() ? items.next() : null;
        };
    }

    private static Cursor characters(Run run, Value.Str str) {
        String text = str.text();
        int[] at = {0};
        return () -> {
            run.step();
            if (at[0] >= text.length()) {
                return null;
            }
            int code = text.codePointAt(at[0]);
            at[0] += Character.charCount(code);
            return str.like(Character.toString(code));
        };
    }

    private static Cursor view(Run run, Value.View view) {
        Map<Value, Value> entries = view.dict().entries();
        return switch (view.part()) {
            case KEYS -> over(run, entries.keySet().iterator());
            case VALUES -> over(run, entries.values().iterator());
            case ITEMS -> {
                var iterator = entries.entrySet().iterator();
                yield () -> {
                    run.step();
                    if (!iterator.hasNext()) {
                        return null;
                    }
                    var entry = iterator.next();
                    return Value.tuple(List.of(entry.getKey(), entry.getValue()));
                };
            }
        };
    }

    /** All the items, in a list of bounded length. */
    static List<Value> items(Run run, Value value) throws TemplateException {
        if (value instanceof Value.Sequence sequence) {
            run.work(sequence.items().size());
            return sequence.items();
        }
        return drain(run, cursor(run, value));
    }

    static List<Value> drain(Run run, Cursor cursor) throws TemplateException {
        List<Value> items = new ArrayList<>();
        for (Value item = cursor.next(); item != null; item = cursor.next()) {
            if (items.size() >= run.settings().limits().size()) {
                run.make(items.size() + 1L);
            }
            run.fresh(1);
            items.add(item);
        }
        return items;
    }

    /** {@code len(value)}, or -1 where it has none. */
    static int lengthOrNone(Run run, Value value) throws TemplateException {
        return switch (value) {
            case Value.Str str -> {
                run.work(str.text().length());
                yield str.text().codePointCount(0, str.text().length());
            }
            case Value.Sequence sequence -> sequence.items().size();
            case Value.Dict dict -> dict.entries().size();
            case Value.View view -> view.dict().entries().size();
            case Value.Range range -> range.length();
            case Value.Undefined _ -> 0;
            case Loop loop -> loop.length(run);
            case Value.None _, Value.Bool _, Value.Int _, Value.Real _, Value.Namespace _, Value.Function _,
                 Value.Macro _, Generator _ -> -1;
        };
    }

    static int length(Run run, Value value) throws TemplateException {
        int length = lengthOrNone(run, value);
        if (length < 0) {
            throw run.type("object of type '" + Names.type(value) + "' has no len()");
        }
        return length;
    }

    /** The items last first, of what Python's {@code reversed} takes; null for what it does not take. */
    static List<Value> reversed(Run run, Value value) throws TemplateException {
        return switch (value) {
            case Value.Str _, Value.Sequence _, Value.Dict _, Value.View _, Value.Range _, Value.Undefined _ -> {
                List<Value> items = items(run, value);
                run.make(items.size());
                yield new ArrayList<>(items).reversed();
            }
            case Value.None _, Value.Bool _, Value.Int _, Value.Real _, Value.Namespace _, Value.Function _,
                 Value.Macro _, Generator _, Loop _ -> null;
        };
    }
}
