package poot.core.text.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * {@code object.name}, {@code object[key]} and {@code object[a:b:c]} in the immutable sandbox: methods that would
 * change their object, and internal attributes, are there but may not be used.
 */
final class Attributes {
    private static final Set<String> LIST_CHANGES =
        Set.of("append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove");
    private static final Set<String> DICT_CHANGES = Set.of("clear", "pop", "popitem", "setdefault", "update");

    private Attributes() { }

    /** {@code object.name}: the attribute first, then the item. */
    static Value attribute(Run run, Value object, String name) throws TemplateException {
        Value found = own(run, object, name);
        if (found == null && object instanceof Value.Dict dict) {
            found = dict.get(name);
        }
        return found != null ? found : new Value.Undefined(null, object, Value.of(name), false);
    }

    /** {@code object[key]}: the item first, then the attribute. */
    static Value item(Run run, Value object, Value key) throws TemplateException {
        Value found = element(run, object, key);
        if (found == null && key instanceof Value.Str name) {
            found = own(run, object, name.text());
        }
        return found != null ? found : new Value.Undefined(null, object, key, false);
    }

    /** The object's attribute or method, or null where its type has none of that name. */
    static Value own(Run run, Value object, String name) throws TemplateException {
        if (object instanceof Value.Undefined undefined) {
            throw run.undefined(undefined);
        }
        boolean changes = switch (object) {
            case Value.Sequence sequence -> sequence.isList() && LIST_CHANGES.contains(name);
            case Value.Dict _ -> DICT_CHANGES.contains(name);
            default -> false;
        };
        if (changes || name.length() > 4 && name.startsWith("__") && name.endsWith("__")) {
            String hint = "access to attribute " + PythonText.quote(name) + " of '" + Names.type(object) + "' object is unsafe.";
            return new Value.Undefined(hint, object, Value.of(name), true);
        }
        return switch (object) {
            case Value.Namespace namespace -> namespace.members().get(Value.of(name));
            case Loop loop -> loop.attribute(run, name);
            case Value.Str str -> method(StringMethods.find(name), str, name);
            case Value.Dict dict -> method(ContainerMethods.ofDict(name), dict, name);
            case Value.Sequence sequence -> sequence.kind() == Value.Sequence.Kind.GROUP && name.equals("grouper")
                ? sequence.items().getFirst()
                : sequence.kind() == Value.Sequence.Kind.GROUP && name.equals("list") ? sequence.items().getLast()
                : method(ContainerMethods.ofSequence(name), sequence, name);
            case Value.Macro macro when name.equals("name") -> Value.of(macro.definition().name());
            default -> null;
        };
    }

    private static <V extends Value> Value method(Method<V> method, V object, String name) {
        return method == null ? null
            : new Value.Function(name, (evaluator, arguments) -> method.call(evaluator.run(), object, arguments));
    }

    /** {@code object[key]} as the container itself answers, or null where it has no such element. */
    private static Value element(Run run, Value object, Value key) throws TemplateException {
        if (object instanceof Value.Undefined undefined) {
            throw run.undefined(undefined);
        }
        if (object instanceof Value.Dict dict) {
            boolean hashable = !(key instanceof Value.Dict || key instanceof Value.View
                || key instanceof Value.Sequence sequence && sequence.isList());
            return hashable ? dict.entries().get(Comparisons.key(run, key)) : null;
        }
        BigInteger index = Numbers.integer(key);
        if (index == null || index.bitLength() > 31) {
            return null;
        }
        return switch (object) {
            case Value.Sequence sequence -> {
                int at = index.intValue() < 0 ? index.intValue() + sequence.items().size() : index.intValue();
                yield at >= 0 && at < sequence.items().size() ? sequence.items().get(at) : null;
            }
            case Value.Str str -> character(run, str, index.intValue());
            case Value.Range range -> {
                int at = index.intValue() < 0 ? index.intValue() + range.length() : index.intValue();
                yield at >= 0 && at < range.length() ? Value.of(range.start() + range.step() * at) : null;
            }
            default -> null;
        };
    }

    private static Value character(Run run, Value.Str str, int index) throws TemplateException {
        String text = str.text();
        int length = Iteration.length(run, str);
        int at = index < 0 ? index + length : index;
        if (at < 0 || at >= length) {
            return null;
        }
        int from = text.offsetByCodePoints(0, at);
        return str.like(Character.toString(text.codePointAt(from)));
    }

    /** {@code object[start:stop:step]}; parts not written are null. */
    static Value slice(Run run, Value object, Value start, Value stop, Value step) throws TemplateException {
        if (object instanceof Value.Undefined undefined) {
            throw run.undefined(undefined);
        }
        if (object instanceof Value.Dict) {
            throw run.type("unhashable type: 'slice'");
        }
        if (!(object instanceof Value.Str || object instanceof Value.Sequence || object instanceof Value.Range)) {
            throw run.type("'" + Names.type(object) + "' object is not subscriptable");
        }
        int by = bound(run, step, 1);
        if (by == 0) {
            throw run.value("slice step cannot be zero");
        }
        int length = Iteration.length(run, object);
        int low = by > 0 ? 0 : -1;
        int high = by > 0 ? length : length - 1;
        int from = place(bound(run, start, by > 0 ? low : high), start != null, length, low, high);
        int to = place(bound(run, stop, by > 0 ? high : low), stop != null, length, low, high);
        int count = (int) Math.max(0, by > 0 ? ((long) to - from + by - 1) / by : ((long) from - to - by - 1) / -(long) by);
        run.make(count);
        return switch (object) {
            case Value.Range range -> new Value.Range(range.start() + range.step() * from,
                range.start() + range.step() * to, range.step() * by, count);
            case Value.Sequence sequence -> {
                List<Value> picked = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    picked.add(sequence.items().get(from + i * by));
                }
                yield sequence.isList() ? Value.list(picked) : Value.tuple(picked);
            }
            default -> text((Value.Str) object, from, by, count);
        };
    }

    private static Value text(Value.Str str, int from, int by, int count) {
        String text = str.text();
        if (by == 1) {
            int start = text.offsetByCodePoints(0, count == 0 ? 0 : from);
            return str.like(text.substring(start, text.offsetByCodePoints(start, count)));
        }
        int[] codes = text.codePoints().toArray();
        StringBuilder picked = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            picked.appendCodePoint(codes[from + i * by]);
        }
        return str.like(picked.toString());
    }

    private static int bound(Run run, Value value, int fallback) throws TemplateException {
        if (value == null || value == Value.None.NONE) {
            return fallback;
        }
        BigInteger integer = Numbers.integer(value);
        if (integer == null) {
            throw run.type("slice indices must be integers or None or have an __index__ method");
        }
        return Numbers.clamp(integer);
    }

    private static int place(int bound, boolean given, int length, int low, int high) {
        int at = given && bound < 0 ? bound + length : bound;
        return Math.max(low, Math.min(high, at));
    }
}
