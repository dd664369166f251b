package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.List;
import poot.api.model.CheckpointException;

/** Reads the "decoder" of a tokenizer.json. */
final class JsonDecoders {
    private static final int MAX_GROWTH = 4096;

    private long growth = 1;

    private JsonDecoders() {
    }

    /** The decoder a node describes. */
    static TextDecoder read(FaultSite site, String key, Object node) throws CheckpointException {
        if (node == null) {
            return new TextDecoder.Spaced();
        }
        return new JsonDecoders().read(JsonPart.of(site, key, node), 0);
    }

    private TextDecoder read(JsonPart part, int depth) throws CheckpointException {
        String type = part.type();
        return switch (type) {
            case "Sequence" -> {
                part.only("decoders");
                if (depth == JsonPart.MAX_DEPTH) {
                    throw part.unsupported("nesting deeper than " + depth);
                }
                List<TextDecoder> steps = new ArrayList<>();
                for (JsonPart child : part.children("decoders")) {
                    steps.add(read(child, depth + 1));
                }
                yield new TextDecoder.Steps(List.copyOf(steps));
            }
            case "ByteLevel" -> new TextDecoder.ByteLevel();
            case "ByteFallback" -> new TextDecoder.ByteFallback();
            case "Fuse" -> new TextDecoder.Fuse();
            case "Strip" -> strip(part);
            case "Replace" -> replace(part);
            case "Metaspace" -> new TextDecoder.Metaspace(JsonPreTokenizers.mark(part),
                    JsonPreTokenizers.prepend(part) != PreTokenizer.Prepend.NEVER);
            case "WordPiece" -> {
                part.only("prefix", "cleanup");
                yield new TextDecoder.WordPiece(part.piece("prefix"), part.flag("cleanup", true));
            }
            default -> throw part.unsupported("decoder " + FaultSite.quoted(type));
        };
    }

    private static TextDecoder strip(JsonPart part) throws CheckpointException {
        part.only("content", "start", "stop");
        String content = part.text("content");
        if (content.length() != 1) {
            throw part.malformed("content", "expected one character");
        }
        return new TextDecoder.Strip(content.charAt(0), part.integer("start", FaultSite.MAX_PIECE),
                part.integer("stop", FaultSite.MAX_PIECE));
    }

    private TextDecoder replace(JsonPart part) throws CheckpointException {
        part.only("pattern", "content");
        String content = part.piece("content");
        String literal = JsonNormalizers.literal(part);
        growth *= literal == null ? content.length() + 1L : Math.max(1, content.length() / literal.length());
        if (growth > MAX_GROWTH) {
            throw part.unsupported("replacement that makes text more than " + MAX_GROWTH + " times longer");
        }
        return literal != null ? new TextDecoder.Replace(literal, content)
                : new TextDecoder.ReplacePattern(JsonNormalizers.pattern(part), content);
    }
}
