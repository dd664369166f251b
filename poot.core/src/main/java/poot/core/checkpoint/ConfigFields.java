package poot.core.checkpoint;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.model.CheckpointException;

/**
 * One nested object of a configuration, read key by key; what nobody asked for can be refused at the end. A value
 * of {@code null} counts as absent.
 */
final class ConfigFields {
    private final Path file;
    private final String prefix;
    private final Map<String, Object> values;
    private final Set<String> asked = new HashSet<>(Set.of("quant_method"));

    private ConfigFields(Path file, String prefix, Map<String, Object> values) {
        this.file = file;
        this.prefix = prefix;
        this.values = values;
    }

    /** The object under a key of a configuration. */
    static ConfigFields of(Path file, Map<String, Object> config, String key) throws CheckpointException {
        return new ConfigFields(file, "", config).object(key);
    }

    Set<String> keys() {
        return values.keySet();
    }

    boolean has(String key) {
        asked.add(key);
        return values.get(key) != null;
    }

    Object raw(String key) {
        asked.add(key);
        return values.get(key);
    }

    /** A text that must be there. */
    String text(String key) throws CheckpointException {
        if (raw(key) instanceof String s) {
            return s;
        }
        throw invalid(key, "a string");
    }

    /** A text, or the fallback where the key is absent. */
    String text(String key, String fallback) throws CheckpointException {
        return has(key) ? text(key) : fallback;
    }

    /** A truth value, or the fallback where the key is absent. */
    boolean flag(String key, boolean fallback) throws CheckpointException {
        if (!has(key)) {
            return fallback;
        }
        if (raw(key) instanceof Boolean b) {
            return b;
        }
        throw invalid(key, "true or false");
    }

    /** An integer inside [min, max], or the fallback where the key is absent. */
    int integer(String key, int min, int max, int fallback) throws CheckpointException {
        if (!has(key)) {
            return fallback;
        }
        if (raw(key) instanceof Long n && n >= min && n <= max) {
            return (int) (long) n;
        }
        throw invalid(key, "an integer from " + min + " to " + max);
    }

    /** The object under a key, which must be there. */
    ConfigFields object(String key) throws CheckpointException {
        if (!(raw(key) instanceof Map<?, ?> map)) {
            throw invalid(key, "an object");
        }
        Map<String, Object> nested = new LinkedHashMap<>();
        map.forEach((k, v) -> nested.put((String) k, v));
        return new ConfigFields(file, prefix + key + ".", nested);
    }

    /** Refuses a key that is there with any other value than these. */
    void allow(String key, Object... values) throws CheckpointException {
        if (has(key) && !List.of(values).contains(raw(key))) {
            throw unsupported(key);
        }
    }

    /** Refuses a key that is absent or has any other value than these. */
    void require(String key, Object... values) throws CheckpointException {
        if (!has(key)) {
            throw invalid(key, "one of " + List.of(values));
        }
        allow(key, values);
    }

    /** Refuses every key that nobody asked for and that is not in the set. */
    void refuseOthers(Set<String> skipped) throws CheckpointException {
        for (String key : values.keySet()) {
            if (!asked.contains(key) && !skipped.contains(key)) {
                throw unsupported(key);
            }
        }
    }

    /** The refusal of a key's value. */
    CheckpointException unsupported(String key) {
        return Faults.unsupported(file, Faults.key(prefix + key), "the value " + shown(key));
    }

    private CheckpointException invalid(String key, String expected) {
        return Faults.malformed(file, Faults.key(prefix + key), "is " + shown(key) + "; expected " + expected);
    }

    private String shown(String key) {
        String s = String.valueOf(values.get(key));
        return s.length() <= 120 ? s : s.substring(0, 117) + "...";
    }
}
