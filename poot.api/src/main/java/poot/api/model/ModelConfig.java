package poot.api.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What callers of a model need to know of it.
 *
 * @param family        the family's name, for people
 * @param vocabulary    number of token ids; logits have this width
 * @param contextLength positions the model was made for
 * @param endOfSequence ids that end a generation
 * @param tools         how the model writes tool calls
 * @param dimensions    named sizes in a fixed order, for people: layers, hidden, heads …
 */
public record ModelConfig(
        String family,
        int vocabulary,
        int contextLength,
        SortedSet<Integer> endOfSequence,
        ToolFormat tools,
        SequencedMap<String, Integer> dimensions) {

    /** How a model writes tool calls in its text. */
    public enum ToolFormat { NONE, HERMES, LLAMA3, MISTRAL, HARMONY, DEEPSEEK }

    public ModelConfig {
        Objects.requireNonNull(family);
        Objects.requireNonNull(tools);
        endOfSequence = Collections.unmodifiableSortedSet(new TreeSet<>(endOfSequence));
        dimensions = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(dimensions));
    }
}
