package poot.core.text.tokenizer;

import java.util.Arrays;
import java.util.List;
import poot.api.model.CheckpointException;

/** Builds the piece model of a tokenizer.json from what {@link JsonModel} read. */
final class JsonModels {
    private static final int LONGEST_WORD = 100;

    private final FaultSite site;
    private final JsonModel raw;
    private final JsonPart fields;

    private JsonModels(FaultSite site, JsonModel raw) {
        this.site = site;
        this.raw = raw;
        this.fields = new JsonPart(site, "model", raw.fields);
    }

    /** The model; {@code byteLevel} says that its words are still to be spelled in {@link ByteAlphabet}. */
    static PieceModel build(FaultSite site, JsonModel raw, boolean byteLevel) throws CheckpointException {
        JsonModels models = new JsonModels(site, raw);
        String type = models.type();
        return switch (type) {
            case "BPE" -> models.bytePairs(byteLevel);
            case "Unigram" -> models.unigram();
            case "WordPiece" -> models.wordPieces();
            default -> throw site.unsupported("model.type", "model " + FaultSite.quoted(type));
        };
    }

    /** The type as given, or as the fields betray it: older files leave it out. */
    private String type() throws CheckpointException {
        if (fields.has("type")) {
            return fields.type();
        }
        if (raw.scores.length > 0) {
            return "Unigram";
        }
        if (raw.merges != null) {
            return "BPE";
        }
        if (fields.has("max_input_chars_per_word")) {
            return "WordPiece";
        }
        throw site.malformed("model.type", "missing, and the fields do not say which model this is");
    }

    private Vocabulary vocabulary() throws CheckpointException {
        int count = raw.pieces.size();
        if (count == 0) {
            throw site.malformed("model.vocab", "missing or empty");
        }
        int largest = 0;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, raw.ids.get(i));
        }
        if (largest > 2L * count + 65536) {
            throw site.malformed("model.vocab", "an id of " + largest + " among " + count + " pieces");
        }
        Vocabulary vocabulary = new Vocabulary(count, largest + 1);
        for (int i = 0; i < count; i++) {
            String piece = raw.pieces.get(i);
            if (!vocabulary.put(piece, raw.ids.get(i))) {
                throw site.malformed("model.vocab." + FaultSite.quoted(piece), "its id " + raw.ids.get(i)
                        + (vocabulary.id(piece) >= 0 ? " is its second" : " is also that of "
                                + FaultSite.quoted(vocabulary.piece(raw.ids.get(i)))));
            }
        }
        return vocabulary;
    }

    private BytePairs bytePairs(boolean byteLevel) throws CheckpointException {
        fields.only("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk",
                "byte_fallback", "ignore_merges");
        Object dropout = raw.fields.get("dropout");
        if (dropout != null && !(dropout instanceof Number number && number.doubleValue() == 0)) {
            throw site.unsupported("model.dropout", "dropout");
        }
        if (raw.scores.length > 0 || raw.merges == null) {
            throw site.malformed("model", "BPE needs a vocab object and merges");
        }
        Vocabulary vocabulary = vocabulary();
        String prefix = fields.text("continuing_subword_prefix", "");
        BytePairs.Rules rules = new BytePairs.Rules(byteLevel, fields.flag("ignore_merges", false),
                fields.flag("byte_fallback", false), unknown(vocabulary), fields.flag("fuse_unk", false),
                site.piece("model.continuing_subword_prefix", prefix),
                site.piece("model.end_of_word_suffix", fields.text("end_of_word_suffix", "")));
        MergeTable merges = merges(site, "model.merges", vocabulary, raw.merges, prefix, true);
        return new BytePairs(vocabulary, merges, rules, new WordCache());
    }

    /** The ranked merges; each must join known pieces into a known piece. */
    static MergeTable merges(FaultSite site, String key, Vocabulary vocabulary, List<String> pairs, String prefix,
            boolean lastCounts) throws CheckpointException {
        MergeTable merges = new MergeTable(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            String left = pairs.get(i);
            String right = pairs.get(i + 1);
            String rest = right.length() >= prefix.length() ? right.substring(prefix.length()) : "";
            int a = vocabulary.id(left);
            int b = vocabulary.id(right);
            int whole = vocabulary.id(left + rest);
            if (a < 0 || b < 0 || whole < 0) {
                String missing = a < 0 ? left : b < 0 ? right : left + rest;
                throw site.malformed(key + "[" + i / 2 + "]", FaultSite.quoted(missing) + " is not in the vocabulary");
            }
            merges.put(a, b, i / 2, whole, lastCounts);
        }
        return merges;
    }

    private int unknown(Vocabulary vocabulary) throws CheckpointException {
        if (!fields.has("unk_token")) {
            return -1;
        }
        int id = vocabulary.id(fields.text("unk_token"));
        if (id < 0) {
            throw site.malformed("model.unk_token", FaultSite.quoted(fields.text("unk_token")) + " is not in the vocabulary");
        }
        return id;
    }

    private Unigram unigram() throws CheckpointException {
        fields.only("unk_id", "byte_fallback");
        if (raw.scores.length == 0 || raw.merges != null) {
            throw site.malformed("model", "Unigram needs a vocab list and no merges");
        }
        int count = raw.pieces.size();
        if (!fields.has("unk_id")) {
            throw site.malformed("model.unk_id", "missing; text that is no piece would have no id");
        }
        Vocabulary vocabulary = vocabulary();
        int unknown = fields.integer("unk_id", count - 1);
        PieceTrie trie = new PieceTrie();
        double worst = Double.POSITIVE_INFINITY;
        for (int id = 0; id < count; id++) {
            if (!raw.pieces.get(id).isEmpty()) {
                trie.add(raw.pieces.get(id), id);
            }
            worst = Math.min(worst, raw.scores[id]);
        }
        return new Unigram(vocabulary, trie, Arrays.copyOf(raw.scores, count), unknown, worst - 10,
                fields.flag("byte_fallback", false), new WordCache());
    }

    private WordPieces wordPieces() throws CheckpointException {
        fields.only("unk_token", "continuing_subword_prefix", "max_input_chars_per_word");
        if (raw.scores.length > 0 || raw.merges != null) {
            throw site.malformed("model", "WordPiece needs a vocab object and no merges");
        }
        Vocabulary vocabulary = vocabulary();
        int unknown = unknown(vocabulary);
        if (unknown < 0) {
            throw site.malformed("model.unk_token", "missing; a word that cannot be spelled would have no id");
        }
        int longest = fields.has("max_input_chars_per_word")
                ? fields.integer("max_input_chars_per_word", Integer.MAX_VALUE) : LONGEST_WORD;
        return new WordPieces(vocabulary, trie(vocabulary), "",
                site.piece("model.continuing_subword_prefix", fields.text("continuing_subword_prefix", "##")), unknown, longest);
    }

    /** A trie of all the pieces. */
    static PieceTrie trie(Vocabulary vocabulary) {
        PieceTrie trie = new PieceTrie();
        for (int id = 0; id < vocabulary.limit(); id++) {
            String piece = vocabulary.piece(id);
            if (piece != null && !piece.isEmpty()) {
                trie.add(piece, id);
            }
        }
        return trie;
    }
}
