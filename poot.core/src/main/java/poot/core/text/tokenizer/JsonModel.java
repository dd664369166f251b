package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import poot.api.model.CheckpointException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The "model" of a tokenizer.json as read, token by token; the large lists never become a tree. */
final class JsonModel {
    private static final String KEY = "model";

    private final FaultSite site;
    /** The scalar fields. */
    final ObjectNode fields = JsonNodeFactory.instance.objectNode();
    /** The vocabulary's pieces, in the file's order. */
    final List<String> pieces = new ArrayList<>();
    /** The ids of the pieces. */
    final IntList ids = new IntList(1024);
    /** The log probabilities of the pieces, where the vocabulary is a list. */
    double[] scores = new double[0];
    /** The left and right pieces of the merges, one after the other; null where there are none. */
    List<String> merges;

    JsonModel(FaultSite site) {
        this.site = site;
    }

    /** Reads the object the parser stands at. */
    void read(JsonParser p) throws CheckpointException {
        if (p.currentToken() != JsonToken.START_OBJECT) {
            throw site.malformed(KEY, "expected an object");
        }
        Set<String> seen = new HashSet<>();
        while (p.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = p.currentName();
            if (!seen.add(name)) {
                throw site.malformed(KEY + "." + FaultSite.quoted(name), "given twice");
            }
            if (seen.size() > JsonPart.MAX_MEMBERS) {
                throw site.malformed(KEY, "more than " + JsonPart.MAX_MEMBERS + " fields");
            }
            JsonToken token = p.nextToken();
            switch (name) {
                case "vocab" -> vocabulary(p);
                case "merges" -> merges(p);
                default -> {
                    if (token.isStructStart()) {
                        throw site.unsupported(KEY + "." + FaultSite.quoted(name), "this field");
                    }
                    fields.set(name, (JsonNode) p.readValueAsTree());
                }
            }
        }
    }

    private void vocabulary(JsonParser p) throws CheckpointException {
        if (p.currentToken() == JsonToken.START_OBJECT) {
            while (p.nextToken() == JsonToken.PROPERTY_NAME) {
                String piece = site.piece("model.vocab", p.currentName());
                JsonToken value = p.nextToken();
                String where = "model.vocab." + FaultSite.quoted(piece);
                if (value != JsonToken.VALUE_NUMBER_INT || p.getNumberType() != JsonParser.NumberType.INT
                        || p.getIntValue() < 0 || p.getIntValue() > FaultSite.MAX_ID) {
                    throw site.malformed(where, "expected an id from 0 to " + FaultSite.MAX_ID);
                }
                pieces.add(piece);
                ids.add(p.getIntValue());
            }
        } else if (p.currentToken() == JsonToken.START_ARRAY) {
            scores = new double[1024];
            while (p.nextToken() == JsonToken.START_ARRAY) {
                scored(p);
            }
            if (p.currentToken() != JsonToken.END_ARRAY) {
                throw site.malformed("model.vocab[" + pieces.size() + "]", "expected a piece and its score");
            }
        } else {
            throw site.malformed("model.vocab", "expected an object or a list");
        }
    }

    private void scored(JsonParser p) throws CheckpointException {
        int id = pieces.size();
        String where = "model.vocab[" + id + "]";
        if (id > FaultSite.MAX_ID || p.nextToken() != JsonToken.VALUE_STRING) {
            throw site.malformed(where, "expected a piece and its score");
        }
        pieces.add(site.piece(where, p.getString()));
        if (!p.nextToken().isNumeric() || !Double.isFinite(p.getDoubleValue())) {
            throw site.malformed(where, "expected a finite score");
        }
        if (id == scores.length) {
            scores = Arrays.copyOf(scores, 2 * id);
        }
        scores[id] = p.getDoubleValue();
        ids.add(id);
        if (p.nextToken() != JsonToken.END_ARRAY) {
            throw site.malformed(where, "expected a piece and its score and no more");
        }
    }

    private void merges(JsonParser p) throws CheckpointException {
        if (p.currentToken() != JsonToken.START_ARRAY) {
            throw site.malformed("model.merges", "expected a list");
        }
        merges = new ArrayList<>();
        for (JsonToken token = p.nextToken(); token != JsonToken.END_ARRAY; token = p.nextToken()) {
            String where = "model.merges[" + merges.size() / 2 + "]";
            if (token == JsonToken.VALUE_STRING) {
                String line = p.getString();
                if (line.startsWith("#version")) {
                    continue;
                }
                int space = line.indexOf(' ');
                if (space <= 0 || space == line.length() - 1 || line.indexOf(' ', space + 1) >= 0) {
                    throw site.malformed(where, "expected two pieces with one space between them, got " + FaultSite.quoted(line));
                }
                merges.add(line.substring(0, space));
                merges.add(line.substring(space + 1));
            } else if (token == JsonToken.START_ARRAY) {
                for (int i = 0; i < 2; i++) {
                    if (p.nextToken() != JsonToken.VALUE_STRING) {
                        throw site.malformed(where, "expected two pieces");
                    }
                    merges.add(p.getString());
                }
                if (p.nextToken() != JsonToken.END_ARRAY) {
                    throw site.malformed(where, "expected two pieces and no more");
                }
            } else {
                throw site.malformed(where, "expected two pieces");
            }
        }
    }
}
