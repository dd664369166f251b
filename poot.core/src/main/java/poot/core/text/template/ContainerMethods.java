package poot.core.text.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The methods of {@code dict}, {@code list} and {@code tuple} that change nothing. */
final class ContainerMethods {
    private static final Map<String, Method<Value.Dict>> DICT = Map.of(
        "get", (run, self, arguments) -> {
            var bound = arguments.bindUnnamed(run, "get", 1, "key", "default");
            Value found = self.entries().get(Comparisons.key(run, bound.get(0)));
            return found != null ? found : bound.get(1, Value.None.NONE);
        },
        "keys", (run, self, arguments) -> view(run, self, arguments, Value.View.Part.KEYS),
        "values", (run, self, arguments) -> view(run, self, arguments, Value.View.Part.VALUES),
        "items", (run, self, arguments) -> view(run, self, arguments, Value.View.Part.ITEMS),
        "copy", (run, self, arguments) -> {
            arguments.bindUnnamed(run, "copy", 0);
            return new Value.Dict(new LinkedHashMap<>(copied(run, self.entries())));
        });

    private static final Map<String, Method<Value.Sequence>> SEQUENCE = Map.of(
        "count", ContainerMethods::count,
        "index", ContainerMethods::index);

    private static final Map<String, Method<Value.Sequence>> LIST = Map.of(
        "copy", (run, self, arguments) -> {
            arguments.bindUnnamed(run, "copy", 0);
            run.make(self.items().size());
            return Value.list(List.copyOf(self.items()));
        });

    private ContainerMethods() { }

    /** The dict's method of that name, or null. */
    static Method<Value.Dict> ofDict(String name) {
        return DICT.get(name);
    }

    /** The sequence's method of that name, or null; what only a list has refuses a tuple by its absence. */
    static Method<Value.Sequence> ofSequence(String name) {
        return SEQUENCE.containsKey(name) ? SEQUENCE.get(name) : LIST.get(name);
    }

    private static Map<Value, Value> copied(Run run, Map<Value, Value> entries) throws TemplateException {
        run.make(entries.size());
        return entries;
    }

    private static Value view(Run run, Value.Dict self, Arguments arguments, Value.View.Part part) throws TemplateException {
        arguments.bindUnnamed(run, part.name().toLowerCase(Locale.ROOT), 0);
        return new Value.View(self, part);
    }

    private static Value count(Run run, Value.Sequence self, Arguments arguments) throws TemplateException {
        Value wanted = arguments.bindUnnamed(run, "count", 1, "value").get(0);
        int count = 0;
        for (Value item : self.items()) {
            run.step();
            count += Comparisons.equal(run, item, wanted) ? 1 : 0;
        }
        return Value.of(count);
    }

    private static Value index(Run run, Value.Sequence self, Arguments arguments) throws TemplateException {
        Value wanted = arguments.bindUnnamed(run, "index", 1, "value").get(0);
        for (int i = 0; i < self.items().size(); i++) {
            run.step();
            if (Comparisons.equal(run, self.items().get(i), wanted)) {
                return Value.of(i);
            }
        }
        throw run.value(PythonText.repr(run, wanted) + " is not in " + Names.type(self));
    }
}
