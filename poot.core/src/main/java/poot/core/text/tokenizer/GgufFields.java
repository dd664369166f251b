package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import poot.api.model.CheckpointException;
import poot.api.model.RawConfig;

/** The {@code tokenizer.ggml.*} metadata with checked accessors; names are given without that prefix. */
final class GgufFields {
    private static final String PREFIX = "tokenizer.ggml.";

    private final RawConfig config;
    private final FaultSite site;

    GgufFields(RawConfig config) {
        this.config = config;
        this.site = new FaultSite(config.file());
    }

    FaultSite site() {
        return site;
    }

    static String key(String name) {
        return PREFIX + name;
    }

    /** True if the value is there. */
    boolean has(String name) {
        return config.has(key(name));
    }

    /** A string, or the fallback where it is absent. */
    String text(String name, String fallback) throws CheckpointException {
        if (!has(name)) {
            return fallback;
        }
        if (config.raw(key(name)) instanceof String s) {
            return s;
        }
        throw malformed(name, "expected a string");
    }

    /** A truth value, or the fallback where it is absent. */
    boolean flag(String name, boolean fallback) throws CheckpointException {
        if (!has(name)) {
            return fallback;
        }
        if (config.raw(key(name)) instanceof Boolean b) {
            return b;
        }
        throw malformed(name, "expected true or false");
    }

    /** A token id below {@code limit}, where it is given. */
    OptionalInt id(String name, int limit) throws CheckpointException {
        if (!has(name)) {
            return OptionalInt.empty();
        }
        if (config.raw(key(name)) instanceof Long n && n >= 0 && n < limit) {
            return OptionalInt.of((int) (long) n);
        }
        throw malformed(name, "expected an id from 0 to " + (limit - 1) + ", got " + config.raw(key(name)));
    }

    /** A list of strings that must be there. */
    List<String> texts(String name) throws CheckpointException {
        List<String> out = new ArrayList<>();
        for (Object item : list(name)) {
            if (!(item instanceof String s)) {
                throw malformed(name + "[" + out.size() + "]", "expected a string");
            }
            out.add(s);
        }
        return out;
    }

    /** As many finite numbers as {@code count} says. */
    double[] numbers(String name, int count) throws CheckpointException {
        List<?> list = list(name, count);
        double[] out = new double[count];
        for (int i = 0; i < count; i++) {
            double d = list.get(i) instanceof Number n ? n.doubleValue() : Double.NaN;
            if (!Double.isFinite(d)) {
                throw malformed(name + "[" + i + "]", "expected a finite number");
            }
            out[i] = d;
        }
        return out;
    }

    /** As many integers in [0, max] as {@code count} says. */
    int[] integers(String name, int count, int max) throws CheckpointException {
        List<?> list = list(name, count);
        int[] out = new int[count];
        for (int i = 0; i < count; i++) {
            if (!(list.get(i) instanceof Long n) || n < 0 || n > max) {
                throw malformed(name + "[" + i + "]", "expected an integer from 0 to " + max);
            }
            out[i] = (int) (long) n;
        }
        return out;
    }

    /** A list of bytes, signed or not. */
    byte[] bytes(String name) throws CheckpointException {
        List<?> list = list(name);
        byte[] out = new byte[list.size()];
        for (int i = 0; i < out.length; i++) {
            if (!(list.get(i) instanceof Long n) || n < -128 || n > 255) {
                throw malformed(name + "[" + i + "]", "expected a byte");
            }
            out[i] = (byte) (long) n;
        }
        return out;
    }

    /** The model's own name, empty where the file has none. */
    String modelName() {
        return config.raw("general.name") instanceof String s ? s : "";
    }

    private List<?> list(String name, int count) throws CheckpointException {
        List<?> list = list(name);
        if (list.size() != count) {
            throw malformed(name, list.size() + " entries for " + count + " tokens");
        }
        return list;
    }

    private List<?> list(String name) throws CheckpointException {
        if (config.raw(key(name)) instanceof List<?> list) {
            return list;
        }
        throw malformed(name, has(name) ? "expected a list" : "missing");
    }

    CheckpointException malformed(String name, String reason) {
        return site.malformed(key(name), reason);
    }
}
