package poot.serve.schema;

import java.util.List;
import java.util.Objects;

/**
 * One field of an object.
 *
 * @param name     as the client spells it
 * @param kind     what its value may be
 * @param required whether it has to be there; an optional field may be null, which is the same as absent
 * @param stance   what the server does with it
 * @param text     what it means, for a person
 */
public record Field(String name, Kind kind, boolean required, Stance stance, String text) {
    public Field {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(stance);
    }

    /** A field that is honoured, and may be left out. */
    public static Field optional(String name, Kind kind, String text) {
        return new Field(name, kind, false, new Stance.Honoured(), text);
    }

    /** A field that has to be there. */
    public static Field required(String name, Kind kind, String text) {
        return new Field(name, kind, true, new Stance.Honoured(), text);
    }

    /** A field that is taken and has no effect. */
    public static Field noEffect(String name, Kind kind, String why) {
        return new Field(name, kind, false, new Stance.NoEffect(why), why);
    }

    /** A field of which some values, as JSON, are taken. */
    public static Field onlyWhen(String name, Kind kind, List<String> values, String why) {
        return new Field(name, kind, false, new Stance.OnlyWhen(values, why), why);
    }

    /** A field that is refused. */
    public static Field refused(String name, String why) {
        return new Field(name, new Kind.Any(), false, new Stance.Refused(why), why);
    }
}
