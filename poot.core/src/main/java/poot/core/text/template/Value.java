package poot.core.text.template;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an expression evaluates to: the Python objects a chat template can meet. All but {@link Namespace},
 * {@link Generator} and {@link Loop} are immutable. {@code equals} is Python's {@code ==} (1 == 1.0 == True), so that
 * values serve as keys; {@link Comparisons} compares nested values of unknown depth.
 */
sealed interface Value permits Value.None, Value.Bool, Value.Int, Value.Real, Value.Str, Value.Sequence, Value.Dict,
    Value.View, Value.Range, Value.Undefined, Value.Namespace, Value.Function, Value.Macro, Generator, Loop {

    static Str of(String text) {
        return new Str(text, false);
    }

    static Int of(long value) {
        return new Int(BigInteger.valueOf(value));
    }

    static Bool of(boolean value) {
        return value ? Bool.TRUE : Bool.FALSE;
    }

    static Sequence list(List<Value> items) {
        return new Sequence(items, Sequence.Kind.LIST);
    }

    static Sequence tuple(List<Value> items) {
        return new Sequence(items, Sequence.Kind.TUPLE);
    }

    /** {@code None}. */
    enum None implements Value { NONE }

    record Bool(boolean value) implements Value {
        static final Bool TRUE = new Bool(true);
        static final Bool FALSE = new Bool(false);

        @Override
        public boolean equals(Object other) {
            return Numbers.equal(this, other);
        }

        @Override
        public int hashCode() {
            return Numbers.hash(this);
        }
    }

    /** An int. Comparable, as are the other keys, so that a map stays fast where hashes are made to collide. */
    record Int(BigInteger value) implements Value, Comparable<Int> {
        @Override
        public int compareTo(Int other) {
            return value.compareTo(other.value);
        }

        @Override
        public boolean equals(Object other) {
            return Numbers.equal(this, other);
        }

        @Override
        public int hashCode() {
            return Numbers.hash(this);
        }
    }

    record Real(double value) implements Value, Comparable<Real> {
        @Override
        public int compareTo(Real other) {
            return Double.compare(value, other.value);
        }

        @Override
        public boolean equals(Object other) {
            return Numbers.equal(this, other);
        }

        @Override
        public int hashCode() {
            return Numbers.hash(this);
        }
    }

    /** A text; {@code markup} where {@code safe} or {@code escape} marked it as HTML, which escapes what joins it. */
    record Str(String text, boolean markup) implements Value, Comparable<Str> {
        @Override
        public int compareTo(Str other) {
            return text.compareTo(other.text);
        }

        /** The text, marked as this one is. */
        Str like(String other) {
            return new Str(other, markup);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Str str && str.text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    /** A list or tuple; {@code GROUP} is the named tuple (grouper, list) of {@code groupby}. */
    record Sequence(List<Value> items, Kind kind) implements Value {
        enum Kind { LIST, TUPLE, GROUP }

        boolean isList() {
            return kind == Kind.LIST;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Sequence that && isList() == that.isList() && items.equals(that.items);
        }

        @Override
        public int hashCode() {
            return items.hashCode();
        }
    }

    /** A dict, in order of insertion. */
    record Dict(Map<Value, Value> entries) implements Value {
        Value get(String key) {
            return entries.get(of(key));
        }
    }

    /** {@code dict.keys()}, {@code .values()}, {@code .items()}. */
    record View(Dict dict, Part part) implements Value {
        enum Part { KEYS, VALUES, ITEMS }
    }

    /** {@code range(start, stop, step)}, never longer than the sandbox allows. */
    record Range(long start, long stop, long step, int length) implements Value { }

    /**
     * A value that is not there. Printed it is empty, tested it is false; any other use is an error.
     *
     * @param hint   the error's text, or null to make it from what follows
     * @param object what was looked into, or null for a variable
     * @param name   what was looked for
     * @param unsafe whether it is there, but not for a template
     */
    record Undefined(String hint, Value object, Value name, boolean unsafe) implements Value {
        static Undefined variable(String name) {
            return new Undefined(null, null, of(name), false);
        }

        static Undefined because(String hint) {
            return new Undefined(hint, null, of(""), false);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Undefined;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    /** {@code namespace(…)}: the one thing a template may change. Compared by identity. */
    final class Namespace implements Value {
        private final Map<Value, Value> members;

        Namespace(Map<Value, Value> members) {
            this.members = new LinkedHashMap<>(members);
        }

        Map<Value, Value> members() {
            return members;
        }
    }

    /** A global function, or a method of a value. */
    record Function(String name, Body body) implements Value {
        /** What calling it does. */
        @FunctionalInterface
        interface Body {
            Value call(Evaluator evaluator, Arguments arguments) throws TemplateException;
        }
    }

    /** A macro with the scope it was defined in. */
    record Macro(Node.MacroDefinition definition, Scope scope) implements Value {
        @Override
        public boolean equals(Object other) {
            return other == this;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
