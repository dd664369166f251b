package poot.core.text.template;

import java.util.ArrayList;
import java.util.List;

/** The {@code loop} variable. It looks one item ahead, or through all that are left, only when asked to. */
final class Loop implements Value {
    private Cursor cursor;
    private int length;
    private int index0 = -1;
    private Value before;
    private Value current;
    private Value ahead;
    private List<Value> lastChanged;

    /** A loop over a cursor; {@code length} is -1 where it is not known without walking. */
    Loop(Cursor cursor, int length) {
        this.cursor = cursor;
        this.length = length;
    }

    /** The next item, now current, or null after the last. */
    Value advance() throws TemplateException {
        Value next = peek();
        ahead = null;
        if (next != null) {
            index0++;
            before = current;
            current = next;
        }
        return next;
    }

    private Value peek() throws TemplateException {
        if (ahead == null) {
            ahead = cursor.next();
        }
        return ahead;
    }

    int length(Run run) throws TemplateException {
        if (length < 0) {
            List<Value> rest = new ArrayList<>();
            for (Value value = cursor.next(); value != null; value = cursor.next()) {
                run.make(rest.size());
                rest.add(value);
            }
            length = rest.size() + index0 + 1 + (ahead == null ? 0 : 1);
            var iterator = rest.iterator();
            cursor = () -> iterator.hasNext() ? iterator.next() : null;
        }
        return length;
    }

    /** An attribute of {@code loop}, or null where it has none of that name. */
    Value attribute(Run run, String name) throws TemplateException {
        return switch (name) {
            case "index" -> Value.of(index0 + 1);
            case "index0" -> Value.of(index0);
            case "revindex" -> Value.of(length(run) - index0);
            case "revindex0" -> Value.of(length(run) - index0 - 1);
            case "first" -> Value.of(index0 == 0);
            case "last" -> Value.of(peek() == null);
            case "length" -> Value.of(length(run));
            case "depth" -> Value.of(1);
            case "depth0" -> Value.of(0);
            case "previtem" -> index0 == 0 ? Value.Undefined.because("there is no previous item") : before;
            case "nextitem" -> peek() == null ? Value.Undefined.because("there is no next item") : peek();
            case "cycle" -> new Function("cycle", this::cycle);
            case "changed" -> new Function("changed", this::changed);
            default -> null;
        };
    }

    private Value cycle(Evaluator evaluator, Arguments arguments) throws TemplateException {
        List<Value> values = arguments.positional();
        if (values.isEmpty()) {
            throw evaluator.run().type("no items for cycling given");
        }
        return values.get(index0 % values.size());
    }

    private Value changed(Evaluator evaluator, Arguments arguments) throws TemplateException {
        Value now = Value.tuple(arguments.positional());
        boolean same = lastChanged != null && Comparisons.equal(evaluator.run(), Value.tuple(lastChanged), now);
        lastChanged = arguments.positional();
        return Value.of(!same);
    }
}
