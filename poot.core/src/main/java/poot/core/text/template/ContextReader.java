package poot.core.text.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The caller's values to a template's. Copies containers, shares text; bounded in depth. */
final class ContextReader {
    /** Where a value lies: a key or, where that is null, an index, within what {@code outer} names. */
    private record Path(Path outer, String key, int index) {
        @Override
        public String toString() {
            String step = key == null ? "[" + index + "]" : outer == null ? key : "." + key;
            return outer == null ? step : outer + step;
        }
    }

    private final Run run;

    ContextReader(Run run) {
        this.run = run;
    }

    /** Sets every entry of the context as a variable. */
    void readInto(Scope scope, Map<String, ?> context) throws TemplateException {
        for (var entry : context.entrySet()) {
            scope.set(entry.getKey(), read(new Path(null, entry.getKey(), 0), entry.getValue()));
        }
    }

    private Value read(Path path, Object value) throws TemplateException {
        return switch (value) {
            case null -> Value.None.NONE;
            case String text -> Value.of(text);
            case Boolean bool -> Value.of(bool);
            case Long number -> Value.of(number);
            case Integer number -> Value.of(number);
            case Short number -> Value.of(number);
            case Byte number -> Value.of(number);
            case BigInteger number -> {
                run.bits(number.bitLength());
                yield new Value.Int(number);
            }
            case Double number -> new Value.Real(number);
            case Float number -> new Value.Real(number);
            case BigDecimal number -> new Value.Real(number.doubleValue());
            case List<?> list -> list(path, list);
            case Map<?, ?> map -> dict(path, map);
            default -> throw run.fault(new TemplateException.BadContext(run.template(), path.toString(), value.getClass().getName()));
        };
    }

    private Value list(Path path, List<?> list) throws TemplateException {
        run.enter();
        List<Value> items = new ArrayList<>(list.size());
        for (Object item : list) {
            run.step();
            items.add(read(new Path(path, null, items.size()), item));
        }
        run.leave();
        return Value.list(items);
    }

    private Value dict(Path path, Map<?, ?> map) throws TemplateException {
        run.enter();
        Map<Value, Value> entries = LinkedHashMap.newLinkedHashMap(map.size());
        for (var entry : map.entrySet()) {
            run.step();
            if (!(entry.getKey() instanceof String name)) {
                String type = entry.getKey() == null ? "null" : entry.getKey().getClass().getName();
                throw run.fault(new TemplateException.BadContext(run.template(), "key in " + path, type));
            }
            entries.put(Value.of(name), read(new Path(path, name, 0), entry.getValue()));
        }
        run.leave();
        return new Value.Dict(entries);
    }
}
