package poot.core.text.template;

import java.util.List;

/** An expression of a template. Flat where the language is (comparisons, concatenation), so chains cost no depth. */
sealed interface Expr {
    record Literal(Value value) implements Expr { }

    record Name(String name) implements Expr { }

    /** {@code object.name}: the attribute first, then the item. */
    record Attribute(Expr object, String name) implements Expr { }

    /** {@code object[key]}: the item first, then the attribute. */
    record Item(Expr object, Expr key) implements Expr { }

    /** {@code object[start:stop:step]}; absent parts are null. */
    record Slice(Expr object, Expr start, Expr stop, Expr step) implements Expr { }

    record Call(Expr callee, CallArguments arguments, int line) implements Expr { }

    record Filtered(Expr subject, FilterStep filter) implements Expr { }

    record Test(Expr subject, String name, CallArguments arguments) implements Expr { }

    record Not(Expr operand) implements Expr { }

    record Negate(Expr operand) implements Expr { }

    record Plus(Expr operand) implements Expr { }

    record Binary(Operator operator, Expr left, Expr right) implements Expr { }

    record And(Expr left, Expr right) implements Expr { }

    record Or(Expr left, Expr right) implements Expr { }

    /** {@code first op operand op operand …}: every link must hold, operands evaluated once. */
    record Compare(Expr first, List<Link> links) implements Expr { }

    /** {@code left ~ right ~ …}. */
    record Concat(List<Expr> parts) implements Expr { }

    /** {@code then if condition else otherwise}; without {@code else} null. */
    record Conditional(Expr condition, Expr then, Expr otherwise) implements Expr { }

    record Sequence(List<Expr> items, boolean tuple) implements Expr { }

    record Dict(List<Pair> pairs) implements Expr { }

    record Pair(Expr key, Expr value) { }

    record Link(Comparison comparison, Expr operand) { }

    /** One {@code |name(arguments)}. */
    record FilterStep(String name, CallArguments arguments, int line) { }

    /** The arguments of a call; {@code spread} and {@code spreadNamed} ({@code *a}, {@code **k}) are null where absent. */
    record CallArguments(List<Expr> positional, List<Keyword> named, Expr spread, Expr spreadNamed) {
        static final CallArguments NONE = new CallArguments(List.of(), List.of(), null, null);
    }

    record Keyword(String name, Expr value) { }

    enum Operator {
        ADD("+"), SUBTRACT("-"), MULTIPLY("*"), DIVIDE("/"), FLOOR_DIVIDE("//"), MODULO("%"), POWER("** or pow()");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        String sign() {
            return sign;
        }
    }

    enum Comparison { EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, IN, NOT_IN }
}
