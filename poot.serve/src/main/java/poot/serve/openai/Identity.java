package poot.serve.openai;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ObjectNode;

/**
 * What every object of one answer begins with.
 *
 * @param id      of the answer
 * @param created seconds since 1970
 * @param model   its id
 */
record Identity(String id, long created, String model) {
    /** A fresh one; {@code prefix} says what kind of answer it is. */
    static Identity of(String prefix, String model) {
        return new Identity(prefix + unique(), System.currentTimeMillis() / 1000, model);
    }

    /** A part of a name no other has. */
    static String unique() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return HexFormat.of().toHexDigits(random.nextLong()) + HexFormat.of().toHexDigits(random.nextLong()).substring(8);
    }

    ObjectNode object(String kind) {
        return JsonText.object().put("id", id).put("object", kind).put("created", created).put("model", model);
    }
}
