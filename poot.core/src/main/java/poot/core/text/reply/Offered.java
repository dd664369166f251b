package poot.core.text.reply;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tools of a request by name. */
final class Offered {
    private static final String NAMESPACE = "functions.";

    private final Map<String, OfferedTool> byName = new LinkedHashMap<>();

    Offered(List<OfferedTool> tools) {
        tools.forEach(t -> byName.putIfAbsent(t.name(), t));
    }

    /** The tool of a name as models write it: bare, or in the namespace {@code functions}. */
    Optional<OfferedTool> find(String written) {
        OfferedTool exact = byName.get(written);
        if (exact == null && written.startsWith(NAMESPACE)) {
            exact = byName.get(written.substring(NAMESPACE.length()));
        }
        return Optional.ofNullable(exact);
    }

    Iterable<OfferedTool> all() {
        return byName.values();
    }
}
