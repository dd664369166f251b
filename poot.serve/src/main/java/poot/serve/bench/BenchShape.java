package poot.serve.bench;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The sizes of a decoder to make a synthetic checkpoint of; the known ones are data, in {@code shapes.json}.
 *
 * @param architecture the GGUF architecture the checkpoint claims
 * @param qkvBias      whether query, key and value projections have biases
 * @param context      positions the checkpoint says it was made for
 */
public record BenchShape(
        String architecture, int layers, int hidden, int heads, int kvHeads, int headDim, int feedForward, int vocabulary,
        double ropeBase, boolean qkvBias, int context) {

    /** The known shapes by name. */
    public static Map<String, BenchShape> known() throws IOException {
        try (InputStream in = BenchShape.class.getResourceAsStream("shapes.json")) {
            return new TreeMap<>(JsonMapper.shared().readValue(in, new TypeReference<Map<String, BenchShape>>() {}));
        }
    }

    /** The known shape of a name. */
    public static BenchShape named(String name) throws BenchException, IOException {
        Map<String, BenchShape> known = known();
        if (!known.containsKey(name)) {
            throw new BenchException("--shape " + name + ": known are " + String.join(", ", known.keySet()));
        }
        return known.get(name);
    }

    /** Weights of the linear layers of all blocks, without the head. */
    public long blockWeights() {
        long attention = (long) hidden * headDim * (2L * heads + 2L * kvHeads);
        return layers * (attention + 3L * hidden * feedForward);
    }

    /** Weights of the head, whose transpose is the embedding. */
    public long headWeights() {
        return (long) hidden * vocabulary;
    }

    /** Elements of keys and values that one position adds to the cache. */
    public long cacheElements() {
        return 2L * layers * kvHeads * headDim;
    }

    /** Floating-point operations of one position's attention for each position it looks at: two products. */
    public long attentionOperations() {
        return 4L * layers * heads * headDim;
    }
}
