package poot.core.text.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Truth, equality, order and membership, by Python's rules. Every walk into a value is counted and bounded in depth. */
final class Comparisons {
    /** What a tuple as a key costs, in elements: hashes of tuples can be made to collide, and a map then walks them all. */
    private static final int TUPLE_KEY = 1 << 16;

    private Comparisons() { }

    static boolean truth(Run run, Value value) throws TemplateException {
        return switch (value) {
            case Value.None _, Value.Undefined _ -> false;
            case Value.Bool bool -> bool.value();
            case Value.Int integer -> integer.value().signum() != 0;
            case Value.Real real -> real.value() != 0;
            case Value.Str str -> !str.text().isEmpty();
            case Loop loop -> loop.length(run) > 0;
            case Value.Sequence _, Value.Dict _, Value.View _, Value.Range _ -> Iteration.length(run, value) > 0;
            case Value.Namespace _, Value.Function _, Value.Macro _, Generator _ -> true;
        };
    }

    static boolean equal(Run run, Value left, Value right) throws TemplateException {
        if (left instanceof Value.Str a && right instanceof Value.Str b) {
            run.work(Math.min(a.text().length(), b.text().length()));
            return a.equals(b);
        }
        if (left instanceof Value.Sequence a && right instanceof Value.Sequence b) {
            return a.isList() == b.isList() && a.items().size() == b.items().size()
                && mismatch(run, a.items(), b.items()) < 0;
        }
        if (left instanceof Value.Dict a && right instanceof Value.Dict b) {
            return equal(run, a.entries(), b.entries());
        }
        return left.equals(right);
    }

    private static boolean equal(Run run, Map<Value, Value> left, Map<Value, Value> right) throws TemplateException {
        if (left.size() != right.size()) {
            return false;
        }
        run.enter();
        for (var entry : left.entrySet()) {
            run.step();
            Value other = right.get(entry.getKey());
            if (other == null || !equal(run, entry.getValue(), other)) {
                run.leave();
                return false;
            }
        }
        run.leave();
        return true;
    }

    /** The first index at which the lists differ, or -1 where one is the start of the other. */
    private static int mismatch(Run run, List<Value> left, List<Value> right) throws TemplateException {
        run.enter();
        int found = -1;
        for (int i = 0; found < 0 && i < Math.min(left.size(), right.size()); i++) {
            run.step();
            found = equal(run, left.get(i), right.get(i)) ? -1 : i;
        }
        run.leave();
        return found;
    }

    /** Whether {@code left operator right}, for {@code <}, {@code <=}, {@code >} and {@code >=}. */
    static boolean ordered(Run run, Expr.Comparison comparison, Value left, Value right) throws TemplateException {
        String sign = switch (comparison) {
            case LESS -> "<";
            case LESS_EQUAL -> "<=";
            case GREATER -> ">";
            default -> ">=";
        };
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            Integer order = Numbers.compare(left, right);
            return order != null && holds(comparison, order);
        }
        if (left instanceof Value.Sequence a && right instanceof Value.Sequence b && a.isList() == b.isList()) {
            int at = mismatch(run, a.items(), b.items());
            if (at < 0) {
                return holds(comparison, Integer.compare(a.items().size(), b.items().size()));
            }
            run.enter();
            boolean ordered = ordered(run, comparison, a.items().get(at), b.items().get(at));
            run.leave();
            return ordered;
        }
        if (left instanceof Value.Str a && right instanceof Value.Str b) {
            run.work(Math.min(a.text().length(), b.text().length()));
            return holds(comparison, PythonText.compare(a.text(), b.text()));
        }
        for (Value side : List.of(left, right)) {
            if (side instanceof Value.Undefined undefined) {
                throw run.undefined(undefined);
            }
        }
        throw run.type("'" + sign + "' not supported between instances of '" + Names.type(left) + "' and '"
            + Names.type(right) + "'");
    }

    private static boolean holds(Expr.Comparison comparison, int order) {
        return switch (comparison) {
            case LESS -> order < 0;
            case LESS_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            default -> order >= 0;
        };
    }

    static boolean less(Run run, Value left, Value right) throws TemplateException {
        return ordered(run, Expr.Comparison.LESS, left, right);
    }

    /** {@code item in container}. */
    static boolean contains(Run run, Value container, Value item) throws TemplateException {
        switch (container) {
            case Value.Str text -> {
                if (!(item instanceof Value.Str part)) {
                    throw run.type("'in <string>' requires string as left operand, not " + Names.type(item));
                }
                run.search(text.text().length(), part.text().length());
                return text.text().contains(part.text());
            }
            case Value.Dict dict -> {
                return dict.entries().containsKey(key(run, item));
            }
            default -> {
                if (!Iteration.iterable(container)) {
                    throw run.type("argument of type '" + Names.type(container) + "' is not iterable");
                }
                Cursor cursor = Iteration.cursor(run, container);
                for (Value value = cursor.next(); value != null; value = cursor.next()) {
                    if (equal(run, value, item)) {
                        return true;
                    }
                }
                return false;
            }
        }
    }

    /** The value, checked to be hashable and of bounded depth, for use as a key. */
    static Value key(Run run, Value value) throws TemplateException {
        run.enter();
        switch (value) {
            case Value.Sequence sequence when !sequence.isList() -> {
                run.work(TUPLE_KEY);
                for (Value item : sequence.items()) {
                    key(run, item);
                }
            }
            case Value.Sequence _, Value.Dict _, Value.View _ ->
                throw run.type("unhashable type: '" + Names.type(value) + "'");
            default -> { }
        }
        run.leave();
        return value;
    }

    /** The items in stable order of their keys, as {@code sorted}. */
    static List<Value> sorted(Run run, List<Value> items, List<Value> keys, boolean reverse) throws TemplateException {
        int count = items.size();
        run.make(count);
        Integer[] order = new Integer[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        mergeSort(run, keys, order, new Integer[count], 0, count, reverse);
        List<Value> sorted = new ArrayList<>(count);
        for (int i : order) {
            sorted.add(items.get(i));
        }
        return sorted;
    }

    private static void mergeSort(Run run, List<Value> keys, Integer[] order, Integer[] spare, int from, int to, boolean reverse)
        throws TemplateException {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        mergeSort(run, keys, order, spare, from, middle, reverse);
        mergeSort(run, keys, order, spare, middle, to, reverse);
        System.arraycopy(order, from, spare, from, to - from);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            run.step();
            boolean takeRight = left >= middle || right < to && (reverse
                ? less(run, keys.get(spare[left]), keys.get(spare[right]))
                : less(run, keys.get(spare[right]), keys.get(spare[left])));
            order[i] = takeRight ? spare[right++] : spare[left++];
        }
    }
}
