package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.List;
import poot.api.model.CheckpointException;
import poot.core.text.regex.Properties;

/** Reads the "pre_tokenizer" of a tokenizer.json as a list of stages. */
final class JsonPreTokenizers {
    /** GPT-2's words: contractions, letters, digits and the rest, each with a space before it. */
    static final String GPT2 =
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
    private static final String WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d";
    private static final int MAX_STAGES = 32;

    private final List<PreTokenizer> stages = new ArrayList<>();

    private JsonPreTokenizers() {
    }

    /** The stages a node describes; none where it is null. */
    static List<PreTokenizer> read(FaultSite site, String key, Object node) throws CheckpointException {
        JsonPreTokenizers reader = new JsonPreTokenizers();
        if (node != null) {
            reader.read(JsonPart.of(site, key, node), 0);
        }
        return reader.stages;
    }

    private void read(JsonPart part, int depth) throws CheckpointException {
        if (stages.size() > MAX_STAGES || depth == JsonPart.MAX_DEPTH) {
            throw part.unsupported("more than " + MAX_STAGES + " stages, or nesting deeper than " + JsonPart.MAX_DEPTH);
        }
        String type = part.type();
        switch (type) {
            case "Sequence" -> {
                part.only("pretokenizers");
                for (JsonPart child : part.children("pretokenizers")) {
                    read(child, depth + 1);
                }
            }
            case "Split" -> {
                part.only("pattern", "behavior", "invert");
                stages.add(new PreTokenizer.Split(JsonNormalizers.pattern(part), behavior(part),
                        part.flag("invert", false)));
            }
            case "ByteLevel" -> byteLevel(part);
            case "Metaspace" -> stages.add(metaspace(part));
            case "BertPreTokenizer" -> {
                whiteSpaceRemoved();
                stages.add(new PreTokenizer.SplitAt(BertText::isPunctuation, PreTokenizer.Behavior.ISOLATED));
            }
            case "Whitespace" -> stages.add(new PreTokenizer.Split(
                    part.site().pattern(part.key(), "[" + WORD + "]+|[^" + WORD + "\\s]+"), PreTokenizer.Behavior.REMOVED, true));
            case "WhitespaceSplit" -> whiteSpaceRemoved();
            case "Digits" -> {
                part.only("individual_digits");
                stages.add(new PreTokenizer.SplitAt(c -> Properties.category(c).startsWith("n"),
                        part.flag("individual_digits", false) ? PreTokenizer.Behavior.ISOLATED
                                : PreTokenizer.Behavior.CONTIGUOUS));
            }
            case "Punctuation" -> {
                part.only("behavior");
                stages.add(new PreTokenizer.SplitAt(BertText::isPunctuation,
                        part.has("behavior") ? behavior(part) : PreTokenizer.Behavior.ISOLATED));
            }
            default -> throw part.unsupported("pre-tokenizer " + FaultSite.quoted(type));
        }
    }

    private void whiteSpaceRemoved() {
        stages.add(new PreTokenizer.SplitAt(Properties::isWhiteSpace, PreTokenizer.Behavior.REMOVED));
    }

    private void byteLevel(JsonPart part) throws CheckpointException {
        part.only("add_prefix_space", "trim_offsets", "use_regex");
        if (part.flag("add_prefix_space", true)) {
            stages.add(new PreTokenizer.PrefixSpace());
        }
        if (part.flag("use_regex", true)) {
            stages.add(new PreTokenizer.Split(part.site().pattern(part.key(), GPT2),
                    PreTokenizer.Behavior.ISOLATED, false));
        }
        stages.add(new PreTokenizer.Spell());
    }

    private static PreTokenizer.Behavior behavior(JsonPart part) throws CheckpointException {
        String name = part.text("behavior");
        return switch (name) {
            case "Removed" -> PreTokenizer.Behavior.REMOVED;
            case "Isolated" -> PreTokenizer.Behavior.ISOLATED;
            case "MergedWithPrevious" -> PreTokenizer.Behavior.MERGED_WITH_PREVIOUS;
            case "MergedWithNext" -> PreTokenizer.Behavior.MERGED_WITH_NEXT;
            case "Contiguous" -> PreTokenizer.Behavior.CONTIGUOUS;
            default -> throw part.site().unsupported(part.at("behavior"), "behavior " + FaultSite.quoted(name));
        };
    }

    private static PreTokenizer metaspace(JsonPart part) throws CheckpointException {
        return new PreTokenizer.Metaspace(mark(part), prepend(part), part.flag("split", true));
    }

    /** The mark of a Metaspace component. */
    static String mark(JsonPart part) throws CheckpointException {
        part.only("replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep");
        String mark = part.text("replacement");
        if (mark.isEmpty() || mark.codePointCount(0, mark.length()) != 1) {
            throw part.malformed("replacement", "expected one character");
        }
        return mark;
    }

    /** When a Metaspace component puts its mark in front. */
    static PreTokenizer.Prepend prepend(JsonPart part) throws CheckpointException {
        if (!part.flag("add_prefix_space", true)) {
            return PreTokenizer.Prepend.NEVER;
        }
        String scheme = part.text("prepend_scheme", "always");
        return switch (scheme) {
            case "always" -> PreTokenizer.Prepend.ALWAYS;
            case "first" -> PreTokenizer.Prepend.FIRST;
            case "never" -> PreTokenizer.Prepend.NEVER;
            default -> throw part.site().unsupported(part.at("prepend_scheme"), "scheme " + FaultSite.quoted(scheme));
        };
    }
}
