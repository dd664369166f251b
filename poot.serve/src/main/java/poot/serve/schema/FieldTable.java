package poot.serve.schema;

/** A shape's fields as a table of Markdown, for the documentation. */
public final class FieldTable {
    private FieldTable() {}

    /** The table. */
    public static String of(Shape shape) {
        StringBuilder s = new StringBuilder("| field | value | stance | |\n|---|---|---|---|\n");
        for (Field f : shape.fields()) {
            String value = f.stance() instanceof Stance.Refused ? "" : bounds(f.kind());
            s.append("| `").append(f.name()).append('`').append(f.required() ? " (required)" : "").append(" | ").append(value)
                    .append(" | ").append(f.stance().word()).append(" | ").append(f.text()).append(" |\n");
        }
        return s.toString().replace("\\", "\\\\");
    }

    private static String bounds(Kind kind) {
        return switch (kind) {
            case Kind.Whole w -> "integer " + bound(w.least()) + " … " + bound(w.most());
            case Kind.Number n -> "number " + number(n.least()) + " … " + number(n.most());
            case Kind.Text t -> t.values().isEmpty() ? "string" : String.join(", ", t.values());
            case Kind.Flag _ -> "true, false";
            case Kind.ListOf l -> "array of " + l.least() + " … " + l.most() + " × " + bounds(l.item());
            case Kind.MapOf m -> "object, up to " + m.most() + " × " + bounds(m.value());
            case Kind.Either e -> String.join(", or ", e.kinds().stream().map(FieldTable::bounds).toList());
            case Kind.Object _, Kind.Tagged _, Kind.AnyObject _ -> "object";
            case Kind.Any _ -> "any";
        };
    }

    private static String bound(long v) {
        return v == Long.MAX_VALUE ? "2⁶³-1" : v == Long.MIN_VALUE ? "-2⁶³" : v == Integer.MAX_VALUE ? "2³¹-1" : Long.toString(v);
    }

    private static String number(double v) {
        return v == Math.rint(v) ? Long.toString((long) v) : Double.toString(v);
    }
}
