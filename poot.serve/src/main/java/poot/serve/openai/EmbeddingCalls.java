package poot.serve.openai;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.model.ModelSchema;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.json.JsonText;
import poot.serve.schema.Body;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /v1/embeddings}. */
public final class EmbeddingCalls implements Call {
    private final Served served;

    /** Embeds texts. */
    public EmbeddingCalls(Served served) {
        this.served = served;
    }

    @Override
    public Answer answer(Body body, Client client) throws ApiException, InterruptedException {
        served.requireModel(body);
        served.requireEncoding(ModelSchema.EMBEDDING, "embeddings");
        List<int[]> ids = Inputs.ids(body.node("input").orElseThrow(), served.text(), true);
        boolean base64 = body.text("encoding_format").filter("base64"::equals).isPresent();
        int dimensions = (int) body.whole("dimensions").orElse(0);
        List<EncodeResult> results = Encodings.of(served, ids.stream().map(EncodeRow::of).toList(), "input", client);
        ObjectNode out = JsonText.object().put("object", "list");
        ArrayNode data = out.putArray("data");
        for (int i = 0; i < results.size(); i++) {
            float[] vector = switch (results.get(i)) {
                case EncodeResult.Embedding e -> cut(e.vector(), dimensions);
                case EncodeResult.Score _ -> throw new ApiException(new ApiFault.Internal("the model gave a score, not an embedding"));
                case EncodeResult.Failed f -> throw new ApiException(new ApiFault.Failed(f.fault()));
            };
            ObjectNode item = data.addObject().put("object", "embedding").put("index", i);
            put(item, vector, base64);
        }
        long tokens = ids.stream().mapToLong(r -> r.length).sum();
        out.put("model", served.id());
        out.putObject("usage").put("prompt_tokens", tokens).put("total_tokens", tokens);
        return new Answer.Whole(out);
    }

    /** The first dimensions, scaled to length 1; all of them, as they are, for 0. */
    private static float[] cut(float[] vector, int dimensions) throws ApiException {
        if (dimensions > vector.length) {
            throw new ApiException(new ApiFault.NotAllowed("dimensions", Integer.toString(dimensions), "at most " + vector.length));
        }
        if (dimensions == 0 || dimensions == vector.length) {
            return vector;
        }
        float[] out = Arrays.copyOf(vector, dimensions);
        double sum = 0;
        for (float x : out) {
            sum += (double) x * x;
        }
        double scale = sum > 0 ? 1 / Math.sqrt(sum) : 1;
        for (int i = 0; i < out.length; i++) {
            out[i] = (float) (out[i] * scale);
        }
        return out;
    }

    private static void put(ObjectNode item, float[] vector, boolean base64) {
        if (base64) {
            ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asFloatBuffer().put(vector);
            item.put("embedding", Base64.getEncoder().encodeToString(bytes.array()));
            return;
        }
        ArrayNode list = item.putArray("embedding");
        for (float x : vector) {
            list.add(x);
        }
    }
}
