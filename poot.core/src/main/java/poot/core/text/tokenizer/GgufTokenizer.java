package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import poot.api.model.CheckpointException;
import poot.api.model.RawConfig;
import poot.core.text.regex.RegexException;
import poot.core.text.regex.TextPattern;

/**
 * Builds a tokenizer from GGUF metadata ({@code tokenizer.ggml.*}): byte-pair encoding ("gpt2", "gemma4"), scored
 * byte-pair encoding ("llama"), unigram ("t5") and WordPiece ("bert"). Where tokens written in a text overlap, the
 * leftmost and then the longest counts.
 */
public final class GgufTokenizer {
    private static final int UNKNOWN = 2;
    private static final int CONTROL = 3;
    private static final int USER_DEFINED = 4;
    private static final int UNUSED = 5;
    private static final int LAST_TYPE = 6;
    private static final String MARK = "\u2581";
    /** Texts of tokens that end a turn; converters are known to leave them typed as ordinary text. */
    private static final Set<String> ENDINGS = Set.of("<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>",
            "<|flush|>", "<|calls|>", "<end_of_turn>", "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]",
            "[EOS]", "<|end_of_text|>", "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>",
            "<\uff5cend\u2581of\u2581sentence\uff5c>");

    private final GgufFields fields;
    private final FaultSite site;
    private Vocabulary vocabulary;
    private int[] types;

    private GgufTokenizer(RawConfig config) {
        fields = new GgufFields(config);
        site = fields.site();
    }

    /** The tokenizer the metadata describes. */
    public static Tokenizer read(RawConfig config) throws CheckpointException {
        return new GgufTokenizer(config).read();
    }

    private Tokenizer read() throws CheckpointException {
        String model = fields.text("model", "");
        readTokens();
        return switch (model) {
            case "gpt2" -> bytePairs(fields.text("pre", "default"));
            case "gemma4" -> bytePairs("gemma4");
            case "llama" -> scoredPairs();
            case "t5" -> unigram();
            case "bert" -> wordPieces();
            case "" -> throw fields.malformed("model", "missing");
            default -> throw site.unsupported(GgufFields.key("model"), "tokenizer model " + FaultSite.quoted(model));
        };
    }

    private void readTokens() throws CheckpointException {
        List<String> tokens = fields.texts("tokens");
        if (tokens.isEmpty() || tokens.size() > FaultSite.MAX_ID) {
            throw fields.malformed("tokens", "expected 1 to " + FaultSite.MAX_ID + " tokens");
        }
        vocabulary = new Vocabulary(tokens.size(), tokens.size());
        for (int id = 0; id < tokens.size(); id++) {
            String token = tokens.get(id);
            if (token.length() > FaultSite.MAX_PIECE) {
                site.piece(GgufFields.key("tokens[" + id + "]"), token);
            }
            if (!vocabulary.put(token.isEmpty() ? "[EMPTY_" + id + "]" : token, id)) {
                throw fields.malformed("tokens[" + id + "]", FaultSite.quoted(token) + " is also token " + vocabulary.id(token));
            }
        }
        types = fields.has("token_type") ? fields.integers("token_type", tokens.size(), LAST_TYPE) : new int[tokens.size()];
        for (int id = 0; id < types.length; id++) {
            if (ENDINGS.contains(vocabulary.piece(id))) {
                types[id] = CONTROL;
            }
        }
    }

    private Tokenizer bytePairs(String pre) throws CheckpointException {
        GgufSplits splits = GgufSplits.named(pre);
        if (splits == null) {
            throw site.unsupported(GgufFields.key("pre"), "pre-tokenizer " + FaultSite.quoted(pre));
        }
        List<String> pairs = new ArrayList<>();
        List<String> merges = fields.texts("merges");
        for (int i = 0; i < merges.size(); i++) {
            int space = merges.get(i).indexOf(' ', 1);
            if (space < 0 || space == merges.get(i).length() - 1) {
                throw fields.malformed("merges[" + i + "]", "expected two pieces with a space between them");
            }
            pairs.add(merges.get(i).substring(0, space));
            pairs.add(merges.get(i).substring(space + 1));
        }
        MergeTable table = JsonModels.merges(site, GgufFields.key("merges"), vocabulary, pairs, "", false);
        int unknown = fields.id("unknown_token_id", types.length).orElse(-1);
        BytePairs model = new BytePairs(vocabulary, table, new BytePairs.Rules(splits.byteLevel(), splits.wholeWords(),
                !splits.byteLevel(), splits.byteLevel() ? -1 : unknown, true, "", ""), new WordCache());
        List<PreTokenizer> stages = new ArrayList<>();
        for (String pattern : splits.patterns()) {
            stages.add(new PreTokenizer.Split(site.pattern(GgufFields.key("pre"), pattern), PreTokenizer.Behavior.ISOLATED, false));
        }
        TextNormalizer normalizer = splits.byteLevel() ? new TextNormalizer.Same() : marked(false);
        TextDecoder decoder = splits.byteLevel() ? new TextDecoder.ByteLevel() : unmarked(false);
        OptionalInt bos = fields.id("bos_token_id", types.length);
        OptionalInt eos = fields.id("eos_token_id", types.length);
        boolean addBos = fields.flag("add_bos_token", splits.addBos()) || !splits.byteLevel();
        Template template = template(addBos, fields.flag("add_eos_token", false), fields.flag("add_sep_token", splits.addSep()), bos, eos);
        return tokenizer(model, normalizer, stages.size() == 1 ? stages.getFirst() : new PreTokenizer.Stages(List.copyOf(stages)),
                template, decoder, splits.byteLevel() ? Tokenizer.Spelling.BYTE_LEVEL : Tokenizer.Spelling.MARKED_SPACES, bos, eos);
    }

    private Tokenizer scoredPairs() throws CheckpointException {
        double[] scores = fields.has("scores") ? fields.numbers("scores", types.length) : new double[types.length];
        double[] order = Arrays.stream(scores).map(s -> -s).distinct().sorted().toArray();
        int[] rank = new int[scores.length];
        for (int id = 0; id < rank.length; id++) {
            rank[id] = Arrays.binarySearch(order, -scores[id]);
        }
        OptionalInt unknown = known("unknown_token_id", 0);
        int[] bytes = new int[256];
        for (int b = 0; b < 256; b++) {
            int id = vocabulary.id(BytePairs.bytePiece(b));
            id = id < 0 && b < 128 ? vocabulary.id(Character.toString(b)) : id;
            if (id < 0 && unknown.isEmpty()) {
                throw fields.malformed("tokens", "neither " + BytePairs.bytePiece(b) + " nor an unknown token");
            }
            bytes[b] = id < 0 ? unknown.getAsInt() : id;
        }
        boolean prefix = fields.flag("add_space_prefix", true);
        OptionalInt bos = known("bos_token_id", 1);
        OptionalInt eos = known("eos_token_id", 2);
        Template template = template(fields.flag("add_bos_token", true), fields.flag("add_eos_token", false),
                fields.flag("add_sep_token", false), bos, eos);
        PreTokenizer words = PreTokenizer.Seams.of(vocabulary).orElse(new PreTokenizer.Whole());
        return tokenizer(new ScoredPairs(vocabulary, rank, bytes, new WordCache()), marked(prefix), words, template,
                unmarked(prefix), Tokenizer.Spelling.MARKED_SPACES, bos, eos);
    }

    private Tokenizer unigram() throws CheckpointException {
        double[] scores = fields.numbers("scores", types.length);
        PieceTrie pieces = new PieceTrie();
        PieceTrie userDefined = new PieceTrie();
        double worst = Double.POSITIVE_INFINITY;
        for (int id = 0; id < scores.length; id++) {
            boolean user = types[id] == USER_DEFINED;
            boolean normal = types[id] <= 1;
            worst = normal ? Math.min(worst, scores[id]) : worst;
            scores[id] = user ? 0 : scores[id];
            if (user || normal || types[id] == UNUSED) {
                pieces.add(vocabulary.piece(id), id);
            }
            if (user) {
                userDefined.add(vocabulary.piece(id), id);
            }
        }
        Charsmap rules = fields.has("precompiled_charsmap") ? Charsmap.of(fields.bytes("precompiled_charsmap")) : null;
        if (rules == null && fields.has("precompiled_charsmap")) {
            throw fields.malformed("precompiled_charsmap", "its array is longer than the map, or no array of words");
        }
        int unknown = known("unknown_token_id", 2).orElseThrow(() -> fields.malformed("unknown_token_id", "missing"));
        TextNormalizer normalizer = new SentencePieceText(rules, userDefined, fields.flag("add_space_prefix", false),
                fields.flag("remove_extra_whitespaces", false));
        OptionalInt bos = fields.id("bos_token_id", types.length);
        OptionalInt eos = known("eos_token_id", 1);
        Template template = template(fields.flag("add_bos_token", false), fields.flag("add_eos_token", true), false, bos, eos);
        return tokenizer(new Unigram(vocabulary, pieces, scores, unknown, worst - 10, false, new WordCache()), normalizer,
                new PreTokenizer.Whole(), template, unmarked(true), Tokenizer.Spelling.MARKED_SPACES, bos, eos);
    }

    private Tokenizer wordPieces() throws CheckpointException {
        int unknown = known("unknown_token_id", 100).orElseThrow(() -> fields.malformed("unknown_token_id", "missing"));
        OptionalInt cls = fields.has("cls_token_id") ? fields.id("cls_token_id", types.length) : known("bos_token_id", 101);
        OptionalInt sep = known("seperator_token_id", 102);
        if (cls.isEmpty() || sep.isEmpty()) {
            throw fields.malformed(cls.isEmpty() ? "bos_token_id" : "seperator_token_id", "missing");
        }
        boolean lower = fields.flag("normalizer.lowercase", true);
        TextNormalizer normalizer = new BertText(true, true, fields.flag("normalizer.strip_accents", lower), lower);
        PreTokenizer words = new PreTokenizer.Stages(List.of(
                new PreTokenizer.SplitAt(poot.core.text.regex.Properties::isWhiteSpace, PreTokenizer.Behavior.REMOVED),
                new PreTokenizer.SplitAt(BertText::isPunctuation, PreTokenizer.Behavior.ISOLATED)));
        Template.Part first = new Template.Special(new int[] {cls.getAsInt()}, 0);
        int[] end = {sep.getAsInt()};
        Template template = new Template(List.of(first, new Template.Text(false, 0), new Template.Special(end, 0)),
                List.of(first, new Template.Text(false, 0), new Template.Special(end, 0), new Template.Text(true, 1),
                        new Template.Special(end, 1)));
        return tokenizer(new WordPieces(vocabulary, JsonModels.trie(vocabulary), MARK, "", unknown, Integer.MAX_VALUE),
                normalizer, words, template, new TextDecoder.MarkedWords(MARK), Tokenizer.Spelling.WORD_PIECES, cls, sep);
    }

    private Tokenizer tokenizer(PieceModel model, TextNormalizer normalizer, PreTokenizer words, Template template,
            TextDecoder decoder, Tokenizer.Spelling spelling, OptionalInt bos, OptionalInt eos) {
        String name = fields.modelName().toLowerCase(Locale.ROOT);
        boolean phi3 = name.contains("phi-3") || name.contains("phi3");
        Set<String> bare = Set.of("<unk>", "<s>", "<|endoftext|>");
        List<AddedTokens.Token> added = new ArrayList<>();
        for (int id = 0; id < types.length; id++) {
            if (types[id] == CONTROL || types[id] == UNKNOWN || types[id] == USER_DEFINED) {
                String content = vocabulary.piece(id);
                added.add(new AddedTokens.Token(id, content, types[id] != USER_DEFINED, false, false,
                        content.equals("<mask>"), phi3 && !bare.contains(content)));
            }
        }
        return new Tokenizer(new Tokenizer.Parts(model, new AddedTokens(added, normalizer), normalizer, words, template,
                decoder, spelling, bos, eos));
    }

    /** The id a key names, or the customary one where the key is absent and the vocabulary has it. */
    private OptionalInt known(String name, int customary) throws CheckpointException {
        OptionalInt id = fields.id(name, types.length);
        return id.isPresent() || customary >= types.length ? id : OptionalInt.of(customary);
    }

    private Template template(boolean addBos, boolean addEos, boolean addSep, OptionalInt bos, OptionalInt eos)
            throws CheckpointException {
        Template.Part begin = new Template.Special(mark("bos_token_id", addBos, bos), 0);
        Template.Part end = new Template.Special(mark("eos_token_id", addEos, eos), 0);
        Template.Part sep = addSep ? new Template.Special(fields.id("seperator_token_id", types.length).stream().toArray(), 0) : begin;
        return new Template(List.of(begin, new Template.Text(false, 0), end),
                List.of(begin, new Template.Text(false, 0), end, sep, new Template.Text(true, 0), end));
    }

    private int[] mark(String name, boolean wanted, OptionalInt id) throws CheckpointException {
        if (wanted && id.isEmpty()) {
            throw fields.malformed(name, "missing, but texts are to have it");
        }
        return wanted ? new int[] {id.getAsInt()} : new int[0];
    }

    private TextNormalizer marked(boolean prefix) throws CheckpointException {
        try {
            TextNormalizer marks = new TextNormalizer.Replace(TextPattern.literal(" "), MARK);
            return prefix ? new TextNormalizer.Steps(List.of(new TextNormalizer.Prepend(MARK), marks)) : marks;
        } catch (RegexException e) {
            throw new CheckpointException(new CheckpointException.Unsupported(site.file(), GgufFields.key("model"), e.getMessage()), e);
        }
    }

    private static TextDecoder unmarked(boolean prefix) {
        List<TextDecoder> steps = new ArrayList<>(List.of(new TextDecoder.Replace(MARK, " "), new TextDecoder.ByteFallback(),
                new TextDecoder.Fuse()));
        if (prefix) {
            steps.add(new TextDecoder.Strip(' ', 1, 0));
        }
        return new TextDecoder.Steps(List.copyOf(steps));
    }
}
