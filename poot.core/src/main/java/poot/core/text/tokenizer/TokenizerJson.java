package poot.core.text.tokenizer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;
import poot.core.json.JsonReader;
import poot.core.json.JsonReader.Token;

/**
 * Reads Hugging Face's tokenizer.json. Truncation and padding are left to the caller; any component without a reader
 * here is refused by name.
 */
public final class TokenizerJson {
    /** 512 MiB; a token has two bytes at least. */
    private static final JsonLimits LIMITS = new JsonLimits(1L << 29, 64, 1L << 28);

    private final FaultSite site;
    private final JsonModel model;
    private final List<AddedTokens.Token> added = new ArrayList<>();
    private final Map<String, Object> parts = new HashMap<>();

    private TokenizerJson(Path file) {
        site = new FaultSite(file);
        model = new JsonModel(site);
    }

    /** The tokenizer a file describes; bos and eos come from tokenizer_config.json beside it, where there is one. */
    public static Tokenizer read(Path file) throws CheckpointException {
        try (InputStream in = Files.newInputStream(file)) {
            Path config = file.resolveSibling("tokenizer_config.json");
            return new TokenizerJson(file).parse(in, Files.exists(config) ? config : null);
        } catch (NoSuchFileException e) {
            throw new CheckpointException(new CheckpointException.Absent(file, "the checkpoint's tokenizer is read from it"), e);
        } catch (IOException e) {
            throw new CheckpointException(new CheckpointException.Unreadable(file, String.valueOf(e.getMessage())), e);
        }
    }

    /** The tokenizer a stream describes; {@code file} names it in errors. The stream is not closed. */
    public static Tokenizer read(InputStream in, Path file) throws CheckpointException {
        return new TokenizerJson(file).parse(in, null);
    }

    private Tokenizer parse(InputStream in, Path config) throws CheckpointException {
        JsonReader p = new JsonReader(site.file(), in, LIMITS);
        if (p.next() != Token.START_OBJECT) {
            throw site.malformed("the file", "expected a JSON object");
        }
        Set<String> seen = new HashSet<>();
        while (p.next() == Token.NAME) {
            String name = p.text();
            if (!seen.add(name)) {
                throw site.malformed(FaultSite.quoted(name), "given twice");
            }
            p.next();
            field(p, name);
        }
        p.next();
        return build(config == null ? new Marks(OptionalInt.empty(), OptionalInt.empty()) : marks(config));
    }

    private void field(JsonReader p, String name) throws CheckpointException {
        switch (name) {
            case "version", "truncation", "padding" -> p.skip();
            case "model" -> model.read(p);
            case "added_tokens" -> addedTokens(p);
            case "normalizer", "pre_tokenizer", "post_processor", "decoder" -> parts.put(name, Json.tree(p));
            default -> throw site.unsupported(FaultSite.quoted(name), "this field");
        }
    }

    private void addedTokens(JsonReader p) throws CheckpointException {
        if (p.current() == Token.NULL) {
            return;
        }
        if (p.current() != Token.START_ARRAY) {
            throw site.malformed("added_tokens", "expected a list");
        }
        while (p.next() != Token.END_ARRAY) {
            Object node = Json.tree(p);
            JsonPart part = JsonPart.of(site, "added_tokens[" + added.size() + "]", node);
            part.only("id", "content", "single_word", "lstrip", "rstrip", "normalized", "special");
            boolean special = part.flag("special", false);
            added.add(new AddedTokens.Token(part.integer("id", FaultSite.MAX_ID), part.piece("content"), special,
                    part.flag("normalized", !special), part.flag("single_word", false), part.flag("lstrip", false),
                    part.flag("rstrip", false)));
        }
    }

    private Tokenizer build(Marks marks) throws CheckpointException {
        List<PreTokenizer> stages = JsonPreTokenizers.read(site, "pre_tokenizer", parts.get("pre_tokenizer"));
        boolean byteLevel = !stages.isEmpty() && stages.getLast() instanceof PreTokenizer.Spell;
        PieceModel pieces = JsonModels.build(site, model, byteLevel);
        if (byteLevel && pieces instanceof BytePairs) {
            stages.removeLast();
        } else if (pieces instanceof BytePairs pairs && pairs.seamless()) {
            PreTokenizer.Seams.of(pairs.vocabulary()).ifPresent(stages::add);
        }
        int limit = checkAdded(pieces.vocabulary());
        TextNormalizer normalizer = JsonNormalizers.read(site, "normalizer", parts.get("normalizer"));
        Template template = JsonTemplates.read(site, "post_processor", parts.get("post_processor"), limit);
        TextDecoder decoder = JsonDecoders.read(site, "decoder", parts.get("decoder"));
        PreTokenizer pre = switch (stages.size()) {
            case 0 -> new PreTokenizer.Whole();
            case 1 -> stages.getFirst();
            default -> new PreTokenizer.Stages(List.copyOf(stages));
        };
        Tokenizer.Spelling spelling = pieces instanceof WordPieces ? Tokenizer.Spelling.WORD_PIECES
                : byteLevel || decoder instanceof TextDecoder.ByteLevel ? Tokenizer.Spelling.BYTE_LEVEL
                : Tokenizer.Spelling.MARKED_SPACES;
        Tokenizer tokenizer = new Tokenizer(new Tokenizer.Parts(pieces, new AddedTokens(added, normalizer), normalizer,
                pre, template, decoder, spelling, marks.bos(), marks.eos()));
        return tokenizer;
    }

    /** Checks that added tokens contradict neither the vocabulary nor each other; one more than the largest id. */
    private int checkAdded(Vocabulary vocabulary) throws CheckpointException {
        Map<Integer, String> byId = new HashMap<>();
        Set<String> contents = new HashSet<>();
        int limit = vocabulary.limit();
        for (int i = 0; i < added.size(); i++) {
            AddedTokens.Token token = added.get(i);
            String where = "added_tokens[" + i + "]";
            int known = vocabulary.id(token.content());
            String piece = vocabulary.piece(token.id());
            if (known >= 0 && known != token.id() || piece != null && !piece.equals(token.content())) {
                throw site.malformed(where, FaultSite.quoted(token.content()) + " with id " + token.id()
                        + " contradicts model.vocab");
            }
            if (!contents.add(token.content()) || byId.put(token.id(), token.content()) != null) {
                throw site.malformed(where, FaultSite.quoted(token.content()) + " or its id " + token.id() + " is given twice");
            }
            limit = Math.max(limit, token.id() + 1);
        }
        if (limit > 2L * (vocabulary.count() + added.size()) + 65536) {
            throw site.malformed("added_tokens", "an id of " + (limit - 1) + " among " + vocabulary.count() + " pieces");
        }
        return limit;
    }

    private record Marks(OptionalInt bos, OptionalInt eos) { }

    private Marks marks(Path config) throws CheckpointException {
        JsonPart part = JsonPart.of(new FaultSite(config), "the file", Json.value(config, LIMITS));
        return new Marks(mark(part, "bos_token"), mark(part, "eos_token"));
    }

    private OptionalInt mark(JsonPart config, String name) throws CheckpointException {
        if (!config.has(name)) {
            return OptionalInt.empty();
        }
        String content = config.node().get(name) instanceof Map ? config.child(name).text("content") : config.text(name);
        for (AddedTokens.Token token : added) {
            if (token.content().equals(content)) {
                return OptionalInt.of(token.id());
            }
        }
        int at = model.pieces.indexOf(content);
        return at < 0 ? OptionalInt.empty() : OptionalInt.of(model.ids.get(at));
    }
}
