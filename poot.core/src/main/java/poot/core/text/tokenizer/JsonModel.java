package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonReader;
import poot.core.json.JsonReader.Token;

/** The "model" of a tokenizer.json as read, token by token; the large lists never become a tree. */
final class JsonModel {
    private static final String KEY = "model";

    private final FaultSite site;
    /** The scalar fields. */
    final Map<String, Object> fields = new LinkedHashMap<>();
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
    void read(JsonReader p) throws CheckpointException {
        if (p.current() != Token.START_OBJECT) {
            throw site.malformed(KEY, "expected an object");
        }
        Set<String> seen = new HashSet<>();
        while (p.next() == Token.NAME) {
            String name = p.text();
            if (!seen.add(name)) {
                throw site.malformed(KEY + "." + FaultSite.quoted(name), "given twice");
            }
            if (seen.size() > JsonPart.MAX_MEMBERS) {
                throw site.malformed(KEY, "more than " + JsonPart.MAX_MEMBERS + " fields");
            }
            Token token = p.next();
            switch (name) {
                case "vocab" -> vocabulary(p);
                case "merges" -> merges(p);
                default -> {
                    if (token == Token.START_OBJECT || token == Token.START_ARRAY) {
                        throw site.unsupported(KEY + "." + FaultSite.quoted(name), "this field");
                    }
                    fields.put(name, Json.tree(p));
                }
            }
        }
    }

    private void vocabulary(JsonReader p) throws CheckpointException {
        if (p.current() == Token.START_OBJECT) {
            while (p.next() == Token.NAME) {
                String piece = site.piece("model.vocab", p.text());
                Token value = p.next();
                if (value != Token.INTEGER || p.integer() < 0 || p.integer() > FaultSite.MAX_ID) {
                    throw site.malformed("model.vocab." + FaultSite.quoted(piece), "expected an id from 0 to " + FaultSite.MAX_ID);
                }
                pieces.add(piece);
                ids.add((int) p.integer());
            }
        } else if (p.current() == Token.START_ARRAY) {
            scores = new double[1024];
            while (p.next() == Token.START_ARRAY) {
                scored(p);
            }
            if (p.current() != Token.END_ARRAY) {
                throw site.malformed("model.vocab[" + pieces.size() + "]", "expected a piece and its score");
            }
        } else {
            throw site.malformed("model.vocab", "expected an object or a list");
        }
    }

    private void scored(JsonReader p) throws CheckpointException {
        int id = pieces.size();
        if (id > FaultSite.MAX_ID || p.next() != Token.STRING) {
            throw scoreless(id, "expected a piece and its score");
        }
        pieces.add(p.text().length() <= FaultSite.MAX_PIECE ? p.text() : site.piece("model.vocab[" + id + "]", p.text()));
        Token score = p.next();
        if (score != Token.INTEGER && score != Token.REAL || !Double.isFinite(p.real())) {
            throw scoreless(id, "expected a finite score");
        }
        if (id == scores.length) {
            scores = Arrays.copyOf(scores, 2 * id);
        }
        scores[id] = p.real();
        ids.add(id);
        if (p.next() != Token.END_ARRAY) {
            throw scoreless(id, "expected a piece and its score and no more");
        }
    }

    private CheckpointException scoreless(int id, String reason) {
        return site.malformed("model.vocab[" + id + "]", reason);
    }

    private void merges(JsonReader p) throws CheckpointException {
        if (p.current() != Token.START_ARRAY) {
            throw site.malformed("model.merges", "expected a list");
        }
        merges = new ArrayList<>();
        for (Token token = p.next(); token != Token.END_ARRAY; token = p.next()) {
            if (token == Token.STRING) {
                String line = p.text();
                if (line.startsWith("#version")) {
                    continue;
                }
                int space = line.indexOf(' ');
                if (space <= 0 || space == line.length() - 1 || line.indexOf(' ', space + 1) >= 0) {
                    throw unmerged(merges.size(), "expected two pieces with one space between them, got " + FaultSite.quoted(line));
                }
                merges.add(line.substring(0, space));
                merges.add(line.substring(space + 1));
            } else if (token == Token.START_ARRAY) {
                for (int i = 0; i < 2; i++) {
                    if (p.next() != Token.STRING) {
                        throw unmerged(merges.size(), "expected two pieces");
                    }
                    merges.add(p.text());
                }
                if (p.next() != Token.END_ARRAY) {
                    throw unmerged(merges.size(), "expected two pieces and no more");
                }
            } else {
                throw unmerged(merges.size(), "expected two pieces");
            }
        }
    }

    private CheckpointException unmerged(int read, String reason) {
        return site.malformed("model.merges[" + read / 2 + "]", reason);
    }
}
