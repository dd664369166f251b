package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.model.CheckpointException;

/** An object inside tokenizer.json with checked accessors; {@code key} is the way to it. */
record JsonPart(FaultSite site, String key, Map<String, Object> node) {
    /** Deepest nesting of sequences. */
    static final int MAX_DEPTH = 16;
    /** Most members a sequence may have. */
    static final int MAX_MEMBERS = 64;

    /** An object, or a refusal. */
    static JsonPart of(FaultSite site, String key, Object node) throws CheckpointException {
        if (!(node instanceof Map<?, ?> entries)) {
            throw site.malformed(key, "expected an object");
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        entries.forEach((name, value) -> fields.put((String) name, value));
        return new JsonPart(site, key, fields);
    }

    /** The component's name. */
    String type() throws CheckpointException {
        return text("type");
    }

    /** True if the field is there and not null. */
    boolean has(String name) {
        return node.get(name) != null;
    }

    /** A string that must be there. */
    String text(String name) throws CheckpointException {
        if (!(node.get(name) instanceof String text)) {
            throw malformed(name, "expected a string");
        }
        return text;
    }

    /** A string, or the fallback where the field is absent or null. */
    String text(String name, String fallback) throws CheckpointException {
        return has(name) ? text(name) : fallback;
    }

    /** A string of bounded length. */
    String piece(String name) throws CheckpointException {
        return site.piece(at(name), text(name));
    }

    /** A truth value, or the fallback where the field is absent or null. */
    boolean flag(String name, boolean fallback) throws CheckpointException {
        if (!has(name)) {
            return fallback;
        }
        if (!(node.get(name) instanceof Boolean flag)) {
            throw malformed(name, "expected true or false");
        }
        return flag;
    }

    /** An integer in [0, max]. */
    int integer(String name, int max) throws CheckpointException {
        return integer(site, at(name), node.get(name), max);
    }

    /** The integer a node holds, in [0, max]. */
    static int integer(FaultSite site, String key, Object node, int max) throws CheckpointException {
        if (!(node instanceof Long number) || number < 0 || number > max) {
            throw site.malformed(key, "expected an integer from 0 to " + max);
        }
        return number.intValue();
    }

    /** An object that must be there. */
    JsonPart child(String name) throws CheckpointException {
        return of(site, at(name), node.get(name));
    }

    /** A short list of objects that must be there. */
    List<JsonPart> children(String name) throws CheckpointException {
        if (!(node.get(name) instanceof List<?> list)) {
            throw malformed(name, "expected a list");
        }
        if (list.size() > MAX_MEMBERS) {
            throw site.unsupported(at(name), "a list of more than " + MAX_MEMBERS + " members");
        }
        List<JsonPart> out = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            out.add(of(site, at(name) + "[" + i + "]", list.get(i)));
        }
        return out;
    }

    /** Refuses fields other than these, which may change what the tokenizer does. */
    void only(String... names) throws CheckpointException {
        Set<String> known = Set.of(names);
        for (String name : node.keySet()) {
            if (!known.contains(name) && !name.equals("type")) {
                throw site.unsupported(at(FaultSite.quoted(name)), "this field");
            }
        }
    }

    /** The way to a field. */
    String at(String name) {
        return key + "." + name;
    }

    CheckpointException malformed(String name, String reason) {
        return site.malformed(at(name), reason);
    }

    CheckpointException unsupported(String what) {
        return site.unsupported(key, what);
    }
}
