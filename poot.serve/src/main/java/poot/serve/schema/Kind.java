package poot.serve.schema;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What a value may be. */
public sealed interface Kind {
    /**
     * A string.
     *
     * @param longest characters at most
     * @param values  the strings allowed; empty for any
     */
    record Text(int longest, List<String> values) implements Kind {
        public Text {
            values = List.copyOf(values);
        }
    }

    /** A whole number within bounds, both allowed. */
    record Whole(long least, long most) implements Kind {}

    /** A number within bounds, both allowed. */
    record Number(double least, double most) implements Kind {}

    /** True or false. */
    record Flag() implements Kind {}

    /** A list whose items are of one kind. */
    record ListOf(Kind item, int least, int most) implements Kind {}

    /** An object with names of the client's choosing. */
    record MapOf(Kind value, int most) implements Kind {}

    /** An object with declared fields; the shape is looked up late, so that shapes may contain themselves. */
    record Object(Supplier<Shape> shape) implements Kind {}

    /**
     * An object whose field {@code tag} says which of several shapes it has.
     *
     * @param usual what the tag is taken for where it is absent; empty where it has to be there
     */
    record Tagged(String tag, Map<String, Shape> shapes, String usual) implements Kind {
        public Tagged(String tag, Map<String, Shape> shapes) {
            this(tag, shapes, "");
        }

        public Tagged {
            shapes = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(shapes));
        }
    }

    /** A value of one of several kinds, told apart by the type of JSON value. */
    record Either(List<Kind> kinds) implements Kind {
        public Either {
            kinds = List.copyOf(kinds);
        }
    }

    /** Any object. */
    record AnyObject() implements Kind {}

    /** Any value. */
    record Any() implements Kind {}

    /** A string of any content. */
    static Kind text() {
        return new Text(Integer.MAX_VALUE, List.of());
    }

    /** A short string of any content. */
    static Kind name(int longest) {
        return new Text(longest, List.of());
    }

    /** One of the strings. */
    static Kind oneOf(String... values) {
        return new Text(Integer.MAX_VALUE, List.of(values));
    }

    /** A whole number within bounds. */
    static Kind whole(long least, long most) {
        return new Whole(least, most);
    }

    /** A number within bounds. */
    static Kind number(double least, double most) {
        return new Number(least, most);
    }

    /** True or false. */
    static Kind flag() {
        return new Flag();
    }

    /** A list. */
    static Kind list(Kind item, int least, int most) {
        return new ListOf(item, least, most);
    }

    /** An object of the shape. */
    static Kind object(Shape shape) {
        return new Object(() -> shape);
    }

    /** One of several kinds. */
    static Kind either(Kind... kinds) {
        return new Either(List.of(kinds));
    }

    /** For a person: what is expected. */
    default String expected() {
        return switch (this) {
            case Text t -> t.values.isEmpty() ? "a string" : "one of " + String.join(", ", t.values);
            case Whole _ -> "an integer";
            case Number _ -> "a number";
            case Flag _ -> "true or false";
            case ListOf l -> "an array (each " + l.item.expected() + ")";
            case MapOf _, Object _, Tagged _, AnyObject _ -> "an object";
            case Either e -> String.join(" or ", e.kinds.stream().map(Kind::expected).toList());
            case Any _ -> "any value";
        };
    }
}
