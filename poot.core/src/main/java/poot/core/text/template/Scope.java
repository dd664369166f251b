package poot.core.text.template;

import java.util.HashMap;
import java.util.Map;

/** Variables by name, over those of the enclosing scope; assignment stays in this one. */
final class Scope {
    private final Scope outer;
    private final Map<String, Value> variables = new HashMap<>(8);

    Scope(Scope outer) {
        this.outer = outer;
    }

    void set(String name, Value value) {
        variables.put(name, value);
    }

    /** The variable's value, or null where no scope has it. */
    Value find(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            Value value = scope.variables.get(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
