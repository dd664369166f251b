package poot.serve.schema;

import java.util.List;

/** What the server does with a field. */
public sealed interface Stance {
    /** It does what the field says. */
    record Honoured() implements Stance {}

    /** It takes the field, which by nature has no effect here. */
    record NoEffect(String why) implements Stance {}

    /** It takes some values, which ask for nothing, and refuses every other. */
    record OnlyWhen(List<String> values, String why) implements Stance {
        public OnlyWhen {
            values = List.copyOf(values);
        }
    }

    /** It refuses the field by name. */
    record Refused(String why) implements Stance {}

    /** For a person: one word. */
    default String word() {
        return switch (this) {
            case Honoured _ -> "honoured";
            case NoEffect _ -> "no effect";
            case OnlyWhen o -> "only " + String.join(", ", o.values);
            case Refused _ -> "refused";
        };
    }
}
