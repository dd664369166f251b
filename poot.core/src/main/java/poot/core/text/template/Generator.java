package poot.core.text.template;

/** A lazy sequence, as {@code map} and {@code select} return: it can be walked once and has no length. */
final class Generator implements Value {
    private final String type;
    private final Cursor cursor;

    Generator(String type, Cursor cursor) {
        this.type = type;
        this.cursor = cursor;
    }

    /** What a generator expression makes. */
    static Generator of(Cursor cursor) {
        return new Generator("generator", cursor);
    }

    /** Its Python type's name. */
    String type() {
        return type;
    }

    Cursor cursor() {
        return cursor;
    }
}
