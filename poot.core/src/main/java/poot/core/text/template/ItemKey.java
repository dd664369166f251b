package poot.core.text.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a filter's {@code attribute} argument picks out of an item: a path with dots, whose whole-number parts are
 * indices; the item itself where there is none.
 */
final class ItemKey {
    private final Run run;
    private final List<Value> path;
    private final boolean foldCase;
    private final Value fallback;

    private ItemKey(Run run, List<Value> path, boolean foldCase, Value fallback) {
        this.run = run;
        this.path = path;
        this.foldCase = foldCase;
        this.fallback = fallback;
    }

    /** A key by an argument, null or None for the item itself; {@code foldCase} lowers the case of text. */
    static ItemKey of(Run run, Value attribute, boolean foldCase) {
        List<Value> path = switch (attribute) {
            case null -> List.of();
            case Value.None _ -> List.of();
            case Value.Str text -> path(text.text());
            default -> List.of(attribute);
        };
        return new ItemKey(run, path, foldCase, null);
    }

    /** The keys of an argument with commas. */
    static List<ItemKey> several(Run run, Value attribute, boolean foldCase) {
        if (!(attribute instanceof Value.Str text)) {
            return List.of(of(run, attribute, foldCase));
        }
        List<ItemKey> keys = new ArrayList<>();
        for (String part : text.text().split(",", -1)) {
            keys.add(of(run, Value.of(part), foldCase));
        }
        return keys;
    }

    private static List<Value> path(String text) {
        List<Value> path = new ArrayList<>();
        for (String part : text.split("\\.", -1)) {
            boolean index = !part.isEmpty() && part.length() < 10 && part.chars().allMatch(c -> c >= '0' && c <= '9');
            path.add(index ? new Value.Int(new BigInteger(part)) : Value.of(part));
        }
        return path;
    }

    /** This key, giving a value where the item has nothing at the path; null for none. */
    ItemKey orElse(Value value) {
        return new ItemKey(run, path, foldCase, value);
    }

    Value of(Value item) throws TemplateException {
        Value value = item;
        for (Value part : path) {
            value = Attributes.item(run, value, part);
            if (fallback != null && value instanceof Value.Undefined) {
                value = fallback;
            }
        }
        return foldCase && value instanceof Value.Str str ? str.like(str.text().toLowerCase(Locale.ROOT)) : value;
    }

    List<Value> ofAll(List<Value> items) throws TemplateException {
        List<Value> keys = new ArrayList<>(items.size());
        for (Value item : items) {
            keys.add(of(item));
        }
        return keys;
    }
}
