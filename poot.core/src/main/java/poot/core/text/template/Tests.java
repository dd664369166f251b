package poot.core.text.template;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import poot.core.text.template.Expr.Comparison;
import poot.core.text.template.TemplateException.PythonError;

/** The tests of {@code is}, by name. */
final class Tests {
    /** Whether a value passes, given the test's arguments. */
    @FunctionalInterface
    private interface Test {
        boolean holds(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException;
    }

    private static final Map<String, Test> ALL = all();

    private Tests() { }

    private static Map<String, Test> all() {
        Map<String, Test> all = new HashMap<>(Map.ofEntries(
            plain("defined", value -> !(value instanceof Value.Undefined)),
            plain("undefined", value -> value instanceof Value.Undefined),
            plain("none", value -> value == Value.None.NONE),
            plain("boolean", value -> value instanceof Value.Bool),
            plain("true", value -> value instanceof Value.Bool(boolean is) && is),
            plain("false", value -> value instanceof Value.Bool(boolean is) && !is),
            plain("integer", value -> value instanceof Value.Int),
            plain("float", value -> value instanceof Value.Real),
            plain("number", Numbers::isNumber),
            plain("string", value -> value instanceof Value.Str),
            plain("mapping", value -> value instanceof Value.Dict),
            plain("sequence", value -> value instanceof Value.Str || value instanceof Value.Sequence
                || value instanceof Value.Dict || value instanceof Value.Range
                || value instanceof Value.Undefined),
            plain("iterable", Iteration::iterable),
            plain("callable", value -> value instanceof Value.Function || value instanceof Value.Macro || value instanceof Loop
                || value instanceof Value.Undefined),
            plain("escaped", value -> value instanceof Value.Str str && str.markup()),
            plain("filter", value -> value instanceof Value.Str str && Filters.known(str.text())),
            plain("test", value -> value instanceof Value.Str str && exists(str.text())),
            Map.entry("lower", (evaluator, value, _) -> cased(evaluator.run(), value, false)),
            Map.entry("upper", (evaluator, value, _) -> cased(evaluator.run(), value, true)),
            Map.entry("odd", (evaluator, value, _) -> remainder(evaluator.run(), value, Value.of(2), 1)),
            Map.entry("even", (evaluator, value, _) -> remainder(evaluator.run(), value, Value.of(2), 0)),
            Map.entry("divisibleby", (evaluator, value, arguments) ->
                remainder(evaluator.run(), value, other(evaluator, arguments, "divisibleby"), 0)),
            Map.entry("sameas", (evaluator, value, arguments) -> same(value, other(evaluator, arguments, "sameas"))),
            Map.entry("in", (evaluator, value, arguments) ->
                Comparisons.contains(evaluator.run(), other(evaluator, arguments, "in"), value))));
        for (String name : new String[] {"==", "eq", "equalto"}) {
            all.put(name, (evaluator, value, arguments) ->
                Comparisons.equal(evaluator.run(), value, other(evaluator, arguments, name)));
        }
        for (String name : new String[] {"!=", "ne"}) {
            all.put(name, (evaluator, value, arguments) ->
                !Comparisons.equal(evaluator.run(), value, other(evaluator, arguments, name)));
        }
        ordered(all, Comparison.LESS, "<", "lt", "lessthan");
        ordered(all, Comparison.LESS_EQUAL, "<=", "le");
        ordered(all, Comparison.GREATER, ">", "gt", "greaterthan");
        ordered(all, Comparison.GREATER_EQUAL, ">=", "ge");
        return Map.copyOf(all);
    }

    private static Map.Entry<String, Test> plain(String name, Predicate<Value> predicate) {
        return Map.entry(name, (evaluator, value, arguments) -> {
            arguments.bind(evaluator.run(), name, 0);
            return predicate.test(value);
        });
    }

    private static void ordered(Map<String, Test> all, Comparison comparison, String... names) {
        for (String name : names) {
            all.put(name, (evaluator, value, arguments) ->
                Comparisons.ordered(evaluator.run(), comparison, value, other(evaluator, arguments, name)));
        }
    }

    private static Value other(Evaluator evaluator, Arguments arguments, String name) throws TemplateException {
        return arguments.bind(evaluator.run(), name, 1, "other").get(0);
    }

    static boolean exists(String name) {
        return ALL.containsKey(name);
    }

    static boolean apply(Evaluator evaluator, String name, Value value, Arguments arguments) throws TemplateException {
        Test test = ALL.get(name);
        if (test == null) {
            throw evaluator.run().failed(PythonError.RUNTIME, "No test named " + PythonText.quote(name) + " found.");
        }
        return test.holds(evaluator, value, arguments);
    }

    private static boolean remainder(Run run, Value value, Value by, int expected) throws TemplateException {
        Value rest = Operators.apply(run, Expr.Operator.MODULO, value, by);
        return Comparisons.equal(run, rest, Value.of(expected));
    }

    /** Identity, as far as it shows: constants and small numbers are the same object, others only if they are one. */
    private static boolean same(Value left, Value right) {
        BigInteger a = left instanceof Value.Int integer ? integer.value() : null;
        BigInteger b = right instanceof Value.Int integer ? integer.value() : null;
        if (a != null && b != null) {
            return a.equals(b) && a.bitLength() <= 8;
        }
        return left == right || left instanceof Value.Bool && right instanceof Value.Bool && left.equals(right)
            || left instanceof Value.Str x && right instanceof Value.Str y && x.equals(y);
    }

    private static boolean cased(Run run, Value value, boolean upper) throws TemplateException {
        String text = PythonText.str(run, value);
        run.work(text.length());
        boolean any = text.codePoints().anyMatch(c -> Character.isUpperCase(c) || Character.isLowerCase(c));
        return any && text.codePoints().noneMatch(c -> Character.isTitleCase(c)
            || (upper ? Character.isLowerCase(c) : Character.isUpperCase(c)));
    }
}
