package poot.api.driver;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The values a request supplies, by the names its model declares. */
public record RequestInputs(Map<String, InputValue> values) {
    /** No inputs. */
    public static final RequestInputs NONE = new RequestInputs(Map.of());

    public RequestInputs {
        values = Map.copyOf(values);
    }

    /** The value of that name. */
    public Optional<InputValue> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The names given. */
    public Set<String> names() {
        return values.keySet();
    }
}
