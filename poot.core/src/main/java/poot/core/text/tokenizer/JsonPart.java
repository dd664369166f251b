package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import poot.api.model.CheckpointException;
import tools.jackson.databind.JsonNode;

/** An object inside tokenizer.json with checked accessors; {@code key} is the way to it. */
record JsonPart(FaultSite site, String key, JsonNode node) {
    /** Deepest nesting of sequences. */
    static final int MAX_DEPTH = 16;
    /** Most members a sequence may have. */
    static final int MAX_MEMBERS = 64;

    /** An object, or a refusal. */
    static JsonPart of(FaultSite site, String key, JsonNode node) throws CheckpointException {
        if (node == null || !node.isObject()) {
            throw site.malformed(key, "expected an object");
        }
        return new JsonPart(site, key, node);
    }

    /** The component's name. */
    String type() throws CheckpointException {
        return text("type");
    }

    /** True if the field is there and not null. */
    boolean has(String name) {
        return node.hasNonNull(name);
    }

    /** A string that must be there. */
    String text(String name) throws CheckpointException {
        JsonNode v = node.get(name);
        if (v == null || !v.isString()) {
            throw malformed(name, "expected a string");
        }
        return v.stringValue();
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
        if (!node.get(name).isBoolean()) {
            throw malformed(name, "expected true or false");
        }
        return node.get(name).booleanValue();
    }

    /** An integer in [0, max]. */
    int integer(String name, int max) throws CheckpointException {
        return integer(site, at(name), node.get(name), max);
    }

    /** The integer a node holds, in [0, max]. */
    static int integer(FaultSite site, String key, JsonNode v, int max) throws CheckpointException {
        if (v == null || !v.isIntegralNumber() || !v.canConvertToInt() || v.intValue() < 0 || v.intValue() > max) {
            throw site.malformed(key, "expected an integer from 0 to " + max);
        }
        return v.intValue();
    }

    /** An object that must be there. */
    JsonPart child(String name) throws CheckpointException {
        return of(site, at(name), node.get(name));
    }

    /** A short list of objects that must be there. */
    List<JsonPart> children(String name) throws CheckpointException {
        JsonNode v = node.get(name);
        if (v == null || !v.isArray()) {
            throw malformed(name, "expected a list");
        }
        if (v.size() > MAX_MEMBERS) {
            throw site.unsupported(at(name), "a list of more than " + MAX_MEMBERS + " members");
        }
        List<JsonPart> out = new ArrayList<>();
        for (int i = 0; i < v.size(); i++) {
            out.add(of(site, at(name) + "[" + i + "]", v.get(i)));
        }
        return out;
    }

    /** Refuses fields other than these, which may change what the tokenizer does. */
    void only(String... names) throws CheckpointException {
        Set<String> known = Set.of(names);
        for (String name : node.propertyNames()) {
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
