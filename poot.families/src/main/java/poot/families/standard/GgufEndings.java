package poot.families.standard;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import poot.api.model.ConfigException;
import poot.api.model.RawConfig;

/**
 * The ids that end a generation in a GGUF: those its metadata names, and the tokens spelled as an end of turn.
 * A GGUF names one end of sequence where a Hugging Face checkpoint may list several, so readers of the format go by
 * the spelling too; the list is llama.cpp's.
 */
final class GgufEndings {
    private static final Set<String> SPELLINGS = Set.of("<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>",
            "<|flush|>", "<|calls|>", "<end_of_turn>", "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]",
            "[EOS]", "<|end_of_text|>", "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>",
            "<\uff5cend\u2581of\u2581sentence\uff5c>");

    private GgufEndings() {}

    static SortedSet<Integer> of(RawConfig c, int vocabulary) throws ConfigException {
        SortedSet<Integer> ids = new TreeSet<>();
        for (String name : List.of("eos", "eot", "eom")) {
            ids.addAll(c.integers("tokenizer.ggml." + name + "_token_id", 0, vocabulary - 1));
        }
        if (!(c.raw("tokenizer.ggml.tokens") instanceof List<?> tokens)) {
            return ids;
        }
        Set<String> found = new TreeSet<>();
        int message = -1;
        for (int i = 0; i < Math.min(tokens.size(), vocabulary); i++) {
            if (tokens.get(i) instanceof String token && SPELLINGS.contains(token)) {
                found.add(token);
                ids.add(i);
                message = token.equals("<|end|>") ? i : message;
            }
        }
        // Where a model has a token for the end of a turn and one for a call, <|end|> only closes a message.
        if (found.containsAll(Set.of("<|return|>", "<|call|>", "<|end|>"))) {
            ids.remove(message);
        }
        return ids;
    }
}
