package poot.clients;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.junit.jupiter.api.function.Executable;

/** Checks by the name of the feature they show, in the order they run. */
final class Features {
    private final SequencedMap<String, Executable> checks = new LinkedHashMap<>();

    Features with(String feature, Executable check) {
        checks.put(feature, check);
        return this;
    }

    SequencedMap<String, Executable> checks() {
        return checks;
    }
}
