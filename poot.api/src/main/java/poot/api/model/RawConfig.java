package poot.api.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The configuration of a checkpoint as read, before any family interprets it: a tree of plain values with checked
 * accessors. Every read is remembered, so {@link #unread} lists what nobody looked at.
 *
 * <p>Values are {@code Long}, {@code Double}, {@code Boolean}, {@code String}, {@code null}, {@code List} or
 * {@code Map<String, Object>}; an integer outside 64 bits arrives as {@code Double}. GGUF metadata is one flat map
 * with dotted keys. Not safe for concurrent reads.
 */
public final class RawConfig {
    private final ConfigSource source;
    private final Path file;
    private final String prefix;
    private final Map<String, Object> values;
    private final Map<String, RawConfig> companions;
    private final Set<String> read;

    private RawConfig(
            ConfigSource source, Path file, String prefix, Map<String, Object> values, Map<String, RawConfig> companions,
            Set<String> read) {
        this.source = source;
        this.file = file;
        this.prefix = prefix;
        this.values = values;
        this.companions = companions;
        this.read = read;
    }

    /** A configuration of the given top-level values, read from {@code file}. */
    public static RawConfig of(ConfigSource source, Path file, Map<String, Object> values) {
        return of(source, file, values, Map.of());
    }

    /**
     * A configuration with the files that lie beside it, by relative name: {@code generation_config.json},
     * {@code 1_Pooling/config.json}, {@code modules.json} (a list at the top level arrives under the key
     * {@code items}).
     */
    public static RawConfig of(ConfigSource source, Path file, Map<String, Object> values, Map<String, RawConfig> companions) {
        Map<String, Object> copy = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        return new RawConfig(
                Objects.requireNonNull(source), Objects.requireNonNull(file), "", copy, Map.copyOf(companions), new HashSet<>());
    }

    /** A configuration file that lies beside this one, by relative name. */
    public Optional<RawConfig> companion(String name) {
        return Optional.ofNullable(companions.get(name));
    }

    /** Which kind of checkpoint this came from. */
    public ConfigSource source() {
        return source;
    }

    /** The file the values came from. */
    public Path file() {
        return file;
    }

    /** The top-level keys, or those of this nested object. */
    public Set<String> keys() {
        return values.keySet();
    }

    /** True if the key is present and not null. */
    public boolean has(String key) {
        read.add(prefix + key);
        return values.get(key) != null;
    }

    /** The raw value, or null. */
    public Object raw(String key) {
        read.add(prefix + key);
        return values.get(key);
    }

    /** An integer that must be present and inside [min, max]. */
    public int integer(String key, int min, int max) throws ConfigException {
        Object v = required(key);
        if (v instanceof Long n && n >= min && n <= max) {
            return (int) (long) n;
        }
        throw invalid(key, v, "an integer from " + min + " to " + max);
    }

    /** An integer inside [min, max], or the fallback where the key is absent or null. */
    public int integer(String key, int min, int max, int fallback) throws ConfigException {
        return has(key) ? integer(key, min, max) : fallback;
    }

    /** A finite number that must be present. */
    public double number(String key) throws ConfigException {
        return number(key, required(key));
    }

    /** A finite number, or the fallback where the key is absent or null. */
    public double number(String key, double fallback) throws ConfigException {
        return has(key) ? number(key) : fallback;
    }

    /** A truth value, or the fallback where the key is absent or null. */
    public boolean flag(String key, boolean fallback) throws ConfigException {
        if (!has(key)) {
            return fallback;
        }
        if (values.get(key) instanceof Boolean b) {
            return b;
        }
        throw invalid(key, values.get(key), "true or false");
    }

    /** A text that must be present. */
    public String text(String key) throws ConfigException {
        Object v = required(key);
        if (v instanceof String s) {
            return s;
        }
        throw invalid(key, v, "a string");
    }

    /** A text, or the fallback where the key is absent or null. */
    public String text(String key, String fallback) throws ConfigException {
        return has(key) ? text(key) : fallback;
    }

    /** A list of finite numbers that must be present. */
    public double[] numbers(String key) throws ConfigException {
        List<?> list = list(key);
        double[] out = new double[list.size()];
        for (int i = 0; i < out.length; i++) {
            Object v = list.get(i);
            out[i] = v instanceof Double d && Double.isFinite(d) ? d : number(key + "[" + i + "]", v);
        }
        return out;
    }

    /** A list that must be present. */
    public List<?> list(String key) throws ConfigException {
        Object v = required(key);
        if (v instanceof List<?> list) {
            return list;
        }
        throw invalid(key, v, "a list");
    }

    /** One integer, or a list of integers, each inside [min, max]; empty where the key is absent or null. */
    public List<Integer> integers(String key, int min, int max) throws ConfigException {
        if (!has(key)) {
            return List.of();
        }
        List<?> list = values.get(key) instanceof List<?> l ? l : List.of(values.get(key));
        List<Integer> out = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof Long n) || n < min || n > max) {
                throw invalid(key + "[" + i + "]", list.get(i), "an integer from " + min + " to " + max);
            }
            out.add((int) (long) n);
        }
        return List.copyOf(out);
    }

    /** A nested object that must be present; its reads are remembered here. */
    public RawConfig object(String key) throws ConfigException {
        Object v = required(key);
        if (v instanceof Map<?, ?> m) {
            Map<String, Object> nested = new LinkedHashMap<>();
            m.forEach((k, value) -> nested.put(String.valueOf(k), value));
            return new RawConfig(source, file, prefix + key + ".", Collections.unmodifiableMap(nested), Map.of(), read);
        }
        throw invalid(key, v, "an object");
    }

    /** The keys of this level whose values nobody read, sorted. */
    public Set<String> unread() {
        Set<String> out = new TreeSet<>();
        for (String key : values.keySet()) {
            if (!read.contains(prefix + key)) {
                out.add(key);
            }
        }
        return out;
    }

    /** The error that a key's value is not what was expected. */
    public ConfigException invalid(String key, Object value, String expected) {
        return new ConfigException(new ConfigException.Invalid(file, prefix + key, show(value), expected));
    }

    /** The error that a key's value asks for something not traced. */
    public ConfigException unsupported(String key, String reason) {
        return new ConfigException(new ConfigException.Unsupported(file, prefix + key, show(values.get(key)), reason));
    }

    /** The error that nobody reads a key. */
    public ConfigException unknown(String key) {
        return new ConfigException(new ConfigException.Unknown(file, prefix + key, show(values.get(key))));
    }

    private Object required(String key) throws ConfigException {
        if (!has(key)) {
            throw new ConfigException(new ConfigException.Missing(file, prefix + key));
        }
        return values.get(key);
    }

    private double number(String key, Object v) throws ConfigException {
        double d = switch (v) {
            case Long n -> n;
            case Double x -> x;
            case null, default -> throw invalid(key, v, "a number");
        };
        if (!Double.isFinite(d)) {
            throw invalid(key, v, "a finite number");
        }
        return d;
    }

    private static String show(Object v) {
        String s = v instanceof String t ? "\"" + t + "\"" : String.valueOf(v);
        return s.length() <= 120 ? s : s.substring(0, 117) + "...";
    }
}
