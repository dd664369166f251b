package poot.core.text.tokenizer;

import java.util.List;

/** How special tokens go around one text, and around two. */
record Template(List<Part> single, List<Part> pair) {
    /** A part of the result. */
    sealed interface Part { }

    /** Special tokens; left out where none are wanted. */
    record Special(int[] ids, int typeId) implements Part { }

    /** The first text, or the second. */
    record Text(boolean second, int typeId) implements Part { }

    /** No special tokens; the second text has type 1. */
    static Template bare() {
        return new Template(List.of(new Text(false, 0)), List.of(new Text(false, 0), new Text(true, 1)));
    }

    /** The single text a, with its special tokens if asked for. */
    int[] one(int[] a, boolean addSpecial) {
        return fill(single, a, null, addSpecial).ids();
    }

    /** The texts a and b with their special tokens. */
    Encoding two(int[] a, int[] b) {
        return fill(pair, a, b, true);
    }

    private static Encoding fill(List<Part> parts, int[] a, int[] b, boolean addSpecial) {
        IntList ids = new IntList(a.length + 8);
        IntList types = new IntList(a.length + 8);
        for (Part part : parts) {
            int before = ids.size();
            int type = switch (part) {
                case Special special -> {
                    if (addSpecial) {
                        ids.addAll(special.ids());
                    }
                    yield special.typeId();
                }
                case Text text -> {
                    ids.addAll(text.second() ? b : a);
                    yield text.typeId();
                }
            };
            for (int i = before; i < ids.size(); i++) {
                types.add(type);
            }
        }
        return new Encoding(ids.toArray(), types.toArray());
    }
}
