package poot.serve.openai;

import java.util.List;
import poot.serve.schema.Field;
import poot.serve.schema.Kind;
import poot.serve.schema.Shape;

/** The fields by which every generating request says how tokens are chosen and when they end. */
final class SamplingFields {
    /** Choices of one request at most. */
    static final int CHOICES = 16;
    /** Stop strings of one request at most. */
    static final int STOPS = 16;
    /** Characters of a stop string at most. */
    static final int STOP_LENGTH = 256;
    /** Entries of a logit bias at most. */
    static final int BIASES = 1024;
    /** Likeliest tokens reported at most. */
    static final int TOP_LOGPROBS = 20;

    /** What a stream may be asked for. */
    static final Shape STREAM_OPTIONS = Shape.of("StreamOptions",
            Field.optional("include_usage", Kind.flag(), "a last event with the usage and no choices"),
            Field.noEffect("include_obfuscation", Kind.flag(), "events are never padded"));

    private static final String NOTHING_KEPT = "identifies the caller's user; nothing is kept";

    private SamplingFields() {}

    static Field model() {
        return Field.optional("model", Kind.name(512), "the model's id; the one served, when absent");
    }

    static Field temperature() {
        return Field.optional("temperature", Kind.number(0, 2), "0 takes the likeliest token; default: the checkpoint's, else 1");
    }

    static Field topP() {
        return Field.optional("top_p", Kind.number(0, 1), "keep the likeliest tokens up to this mass; default: the checkpoint's, else 1");
    }

    static Field stream() {
        return Field.optional("stream", Kind.flag(), "answer as server-sent events");
    }

    static Field streamOptions() {
        return Field.optional("stream_options", Kind.object(STREAM_OPTIONS), "only with stream");
    }

    static List<Field> choosing() {
        return List.of(temperature(), topP(),
                Field.optional("top_k", Kind.whole(-1, Integer.MAX_VALUE), "extension: keep the k likeliest; 0 or -1 keeps all; default: the checkpoint's"),
                Field.optional("min_p", Kind.number(0, 1), "extension: keep tokens at least this likely, relative to the likeliest"),
                Field.optional("repetition_penalty", Kind.number(0.01, 100), "extension: divides logits of tokens seen; default: the checkpoint's, else 1"),
                Field.optional("presence_penalty", Kind.number(-2, 2), "subtracted once from tokens generated before"),
                Field.optional("frequency_penalty", Kind.number(-2, 2), "subtracted for each time a token was generated"),
                Field.optional("logit_bias", new Kind.MapOf(Kind.number(-100, 100), BIASES), "token id to what is added to its logit"),
                Field.optional("seed", Kind.whole(Long.MIN_VALUE, Long.MAX_VALUE), "of the draws; the same seed draws the same; random when absent"),
                Field.optional("n", Kind.whole(1, CHOICES), "choices; each draws with a seed of its own"),
                Field.optional("stop", Kind.either(Kind.name(STOP_LENGTH), Kind.list(Kind.name(STOP_LENGTH), 0, STOPS)),
                        "strings that end the answer; they are not part of it"),
                Field.optional("ignore_eos", Kind.flag(), "extension: go on past the model's end of sequence"),
                stream(), streamOptions());
    }

    static List<Field> passive() {
        return List.of(
                Field.noEffect("user", Kind.text(), NOTHING_KEPT),
                Field.noEffect("safety_identifier", Kind.text(), NOTHING_KEPT),
                Field.noEffect("prompt_cache_key", Kind.text(), "prompts are found by their tokens"),
                Field.noEffect("prompt_cache_retention", Kind.text(), "prompts are kept while there is room"),
                Field.noEffect("metadata", new Kind.MapOf(Kind.name(512), 16), "describes a stored answer; nothing is stored"),
                Field.onlyWhen("store", Kind.flag(), List.of("false"), "nothing is stored"),
                Field.onlyWhen("service_tier", Kind.text(), List.of("\"auto\"", "\"default\""), "there is one tier"));
    }
}
