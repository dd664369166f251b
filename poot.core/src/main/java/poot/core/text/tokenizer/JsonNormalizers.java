package poot.core.text.tokenizer;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import poot.api.model.CheckpointException;
import poot.core.text.regex.RegexException;
import poot.core.text.regex.TextPattern;

/** Reads the "normalizer" of a tokenizer.json. */
final class JsonNormalizers {
    private static final int MAX_GROWTH = 4096;

    private final FaultSite site;
    private long growth = 1;

    private JsonNormalizers(FaultSite site) {
        this.site = site;
    }

    /** The normalizer a node describes; none where it is null. */
    static TextNormalizer read(FaultSite site, String key, Object node) throws CheckpointException {
        if (node == null) {
            return new TextNormalizer.Same();
        }
        return new JsonNormalizers(site).read(JsonPart.of(site, key, node), 0);
    }

    private TextNormalizer read(JsonPart part, int depth) throws CheckpointException {
        String type = part.type();
        return switch (type) {
            case "Sequence" -> {
                part.only("normalizers");
                if (depth == JsonPart.MAX_DEPTH) {
                    throw part.unsupported("nesting deeper than " + depth);
                }
                List<TextNormalizer> steps = new ArrayList<>();
                for (JsonPart child : part.children("normalizers")) {
                    steps.add(read(child, depth + 1));
                }
                yield new TextNormalizer.Steps(List.copyOf(steps));
            }
            case "NFC", "NFD", "NFKC", "NFKD" -> new TextNormalizer.Form(Normalizer.Form.valueOf(type));
            case "Lowercase" -> new TextNormalizer.LowerCase();
            case "Strip" -> {
                part.only("strip_left", "strip_right");
                yield new TextNormalizer.Strip(part.flag("strip_left", true), part.flag("strip_right", true));
            }
            case "StripAccents" -> new TextNormalizer.Drop(TextNormalizer.Form::isMark);
            case "Prepend" -> {
                part.only("prepend");
                yield new TextNormalizer.Prepend(part.piece("prepend"));
            }
            case "Replace" -> replace(part);
            case "BertNormalizer" -> bert(part);
            case "Precompiled" -> precompiled(part);
            case "ByteLevel" -> new TextNormalizer.Spell();
            default -> throw part.unsupported("normalizer " + FaultSite.quoted(type));
        };
    }

    private TextNormalizer replace(JsonPart part) throws CheckpointException {
        part.only("pattern", "content");
        String content = part.piece("content");
        String literal = literal(part);
        growth *= literal == null ? content.length() + 1L : Math.max(1, content.length() / literal.length());
        if (growth > MAX_GROWTH) {
            throw part.unsupported("replacement that makes text more than " + MAX_GROWTH + " times longer");
        }
        return new TextNormalizer.Replace(pattern(part), content);
    }

    private static TextNormalizer bert(JsonPart part) throws CheckpointException {
        part.only("clean_text", "handle_chinese_chars", "strip_accents", "lowercase");
        boolean lower = part.flag("lowercase", true);
        return new BertText(part.flag("clean_text", true), part.flag("handle_chinese_chars", true),
                part.flag("strip_accents", lower), lower);
    }

    private TextNormalizer precompiled(JsonPart part) throws CheckpointException {
        part.only("precompiled_charsmap");
        byte[] blob;
        try {
            blob = Base64.getDecoder().decode(part.text("precompiled_charsmap", ""));
        } catch (IllegalArgumentException e) {
            throw new CheckpointException(new CheckpointException.Malformed(site.file(),
                    part.at("precompiled_charsmap"), "not Base64: " + e.getMessage()), e);
        }
        if (blob.length == 0) {
            return new TextNormalizer.Same();
        }
        Charsmap map = Charsmap.of(blob);
        if (map == null) {
            throw part.malformed("precompiled_charsmap", "its array is longer than the map, or no array of words");
        }
        return map;
    }

    /** The plain text of a part's "pattern", or null where it is a regular expression. */
    static String literal(JsonPart part) throws CheckpointException {
        JsonPart pattern = part.child("pattern");
        pattern.only("String", "Regex");
        if (pattern.has("String") == pattern.has("Regex")) {
            throw part.malformed("pattern", "expected one of String and Regex");
        }
        String literal = pattern.has("String") ? pattern.piece("String") : null;
        if (literal != null && literal.isEmpty()) {
            throw pattern.malformed("String", "empty");
        }
        return literal;
    }

    /** The compiled "pattern" of a part. */
    static TextPattern pattern(JsonPart part) throws CheckpointException {
        String literal = literal(part);
        if (literal == null) {
            return part.site().pattern(part.at("pattern.Regex"), part.child("pattern").text("Regex"));
        }
        try {
            return TextPattern.literal(literal);
        } catch (RegexException e) {
            throw new CheckpointException(new CheckpointException.Unsupported(part.site().file(),
                    part.at("pattern.String"), e.getMessage()), e);
        }
    }
}
