package poot.serve.openai;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import poot.api.driver.SamplingParams;
import poot.api.driver.SamplingParams.Adjustment;
import poot.api.driver.SamplingParams.Filters;
import poot.core.engine.StopException;
import poot.core.engine.StopStrings;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.schema.Body;
import tools.jackson.databind.JsonNode;

/** The shared fields of a generating request, as the engine takes them. */
final class Sampling {
    /** Keeps the seeds of one request's choices apart. */
    private static final long APART = 0x9E3779B97F4A7C15L;

    private Sampling() {}

    /** How tokens are chosen; {@code logprobs} of the likeliest are reported. */
    static SamplingParams params(Body body, SamplingDefaults otherwise, int logprobs) throws ApiException {
        double topP = body.number("top_p").orElse(otherwise.topP());
        int topK = (int) body.whole("top_k").orElse(otherwise.topK());
        Filters filters = new Filters(Math.max(0, topK), (float) Math.max(topP, Float.MIN_NORMAL),
                (float) body.number("min_p").orElse(0));
        Adjustment adjustment = new Adjustment((float) body.number("repetition_penalty").orElse(otherwise.repetition()),
                (float) body.number("presence_penalty").orElse(0), (float) body.number("frequency_penalty").orElse(0), bias(body));
        OptionalLong seed = body.whole("seed");
        return new SamplingParams((float) body.number("temperature").orElse(otherwise.temperature()), filters, adjustment,
                seed.isPresent() ? seed.getAsLong() : ThreadLocalRandom.current().nextLong(), logprobs);
    }

    /** The same for one choice of several. */
    static SamplingParams choice(SamplingParams params, int index) {
        return params.withSeed(params.seed() + index * APART);
    }

    private static SortedMap<Integer, Float> bias(Body body) throws ApiException {
        SortedMap<Integer, Float> out = new TreeMap<>();
        JsonNode map = body.node("logit_bias").orElse(null);
        if (map != null) {
            for (Map.Entry<String, JsonNode> e : map.properties()) {
                out.put(token(body, e.getKey()), e.getValue().floatValue());
            }
        }
        return out;
    }

    private static int token(Body body, String name) throws ApiException {
        try {
            return Integer.parseUnsignedInt(name);
        } catch (NumberFormatException e) {
            throw new ApiException(new ApiFault.NotAllowed(body.at("logit_bias"), "given for \"" + name + "\"", "given for token ids"), e);
        }
    }

    /** The strings that end an answer. */
    static StopStrings stops(Body body) throws ApiException {
        List<String> stops = body.texts("stop");
        try {
            return stops.isEmpty() ? StopStrings.NONE : StopStrings.of(stops);
        } catch (StopException e) {
            throw new ApiException(new ApiFault.NotAllowed(body.at("stop"), "refused", e.getMessage()), e);
        }
    }

    /** Whether the stream ends with the usage. */
    static boolean includeUsage(Body body) throws ApiException {
        if (body.has("stream_options") && !body.flag("stream", false)) {
            throw new ApiException(new ApiFault.NotAllowed(body.at("stream_options"), "given", "left out unless stream is true"));
        }
        return body.object("stream_options").map(o -> o.flag("include_usage", false)).orElse(false);
    }
}
