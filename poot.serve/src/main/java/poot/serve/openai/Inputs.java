package poot.serve.openai;

import java.util.ArrayList;
import java.util.List;
import poot.api.model.TextCodec;
import tools.jackson.databind.JsonNode;

/** A text, texts, ids, or lists of ids, as lists of ids. */
final class Inputs {
    private Inputs() {}

    /** The ids of each; texts are encoded, framed as the checkpoint frames them if {@code special}. */
    static List<int[]> ids(JsonNode input, TextCodec text, boolean special) {
        List<int[]> out = new ArrayList<>();
        if (input.isString()) {
            out.add(text.encode(input.stringValue(), special));
        } else if (input.get(0).isNumber()) {
            out.add(ids(input));
        } else {
            for (JsonNode item : input) {
                out.add(item.isString() ? text.encode(item.stringValue(), special) : ids(item));
            }
        }
        return out;
    }

    /** A list of ids. */
    static int[] ids(JsonNode list) {
        int[] ids = new int[list.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = list.get(i).intValue();
        }
        return ids;
    }
}
