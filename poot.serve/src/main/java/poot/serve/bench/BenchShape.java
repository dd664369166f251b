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
 */
public record BenchShape(
        String architecture, int layers, int hidden, int heads, int kvHeads, int headDim, int feedForward, int vocabulary,
        double ropeBase, boolean qkvBias) {

    /** The known shapes by name. */
    public static Map<String, BenchShape> known() throws IOException {
        try (InputStream in = BenchShape.class.getResourceAsStream("shapes.json")) {
            return new TreeMap<>(JsonMapper.shared().readValue(in, new TypeReference<Map<String, BenchShape>>() {}));
        }
    }

    /** Weights of one token's pass through the linear layers, the head included (the embedding is its transpose). */
    public long linearWeights() {
        long attention = (long) hidden * headDim * (2L * heads + 2L * kvHeads);
        return layers * (attention + 3L * hidden * feedForward) + (long) hidden * vocabulary;
    }
}
