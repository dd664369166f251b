package poot.serve.openai;

import java.util.Objects;
import poot.api.model.Model;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.TextCodec;
import poot.core.engine.Engine;
import poot.core.text.chat.ChatPrompts;
import poot.core.text.reply.ReplyFormat;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.schema.Body;

/**
 * The one model that is served, and everything made of it once.
 *
 * @param id       what clients call it
 * @param created  when it was loaded, seconds since 1970
 * @param engine   that runs it
 * @param model    its contract
 * @param text     its tokenizer and template
 * @param chat     renders conversations
 * @param replies  reads calls and reasoning
 * @param defaults how tokens are chosen where a request does not say
 * @param output   tokens of one choice at most
 * @param memory   what it takes
 */
public record Served(String id, long created, Engine engine, Model model, TextCodec text, ChatPrompts chat, ReplyFormat replies,
        SamplingDefaults defaults, int output, Memory memory) {
    /**
     * What a model takes, in bytes.
     *
     * @param weights the weights, mapped or packed
     * @param device  what its driver holds beyond them
     */
    public record Memory(long weights, long device) {}

    public Served {
        Objects.requireNonNull(id);
        Objects.requireNonNull(engine);
        Objects.requireNonNull(defaults);
        Objects.requireNonNull(memory);
    }

    /** A model by its parts; what reads its text is made here. */
    public static Served of(String id, Engine engine, Model model, TextCodec text, SamplingDefaults defaults, int output,
            Memory memory) {
        return new Served(id, System.currentTimeMillis() / 1000, engine, model, text, ChatPrompts.of(text),
                ReplyFormat.of(text, model.config().tools()), defaults, output, memory);
    }

    /** Positions of a row. */
    public int capacity() {
        return engine.driverOptions().cache().capacity();
    }

    /** Whether it continues text. */
    public boolean generates() {
        return model.schema().program(ProgramName.STEP).isPresent() && !engine.driverOptions().heads().kinds().isEmpty();
    }

    /** Whether its encode pass gives that output. */
    public boolean encodes(String output) {
        return engine.driverOptions().passes().encodeTokens() > 0
                && model.schema().program(ProgramName.ENCODE).filter(p -> p.outputs().contains(output)).isPresent();
    }

    /** Whether a text of a pair is told from the other by segments. */
    boolean readsSegments() {
        return model.schema().input(ModelSchema.SEGMENTS).isPresent();
    }

    /** Refuses a request for another model. */
    void requireModel(Body body) throws ApiException {
        String asked = body.text("model").orElse(id);
        if (!asked.equals(id)) {
            throw new ApiException(new ApiFault.NoModel(asked, id));
        }
    }

    /** Refuses a model that continues no text. */
    void requireGeneration() throws ApiException {
        if (!generates()) {
            throw new ApiException(new ApiFault.Unsupported("model", "\"" + id + "\" generates nothing; it encodes"));
        }
    }

    /** Refuses a model whose encode pass gives something else. */
    void requireEncoding(String output, String what) throws ApiException {
        if (!encodes(output)) {
            throw new ApiException(new ApiFault.Unsupported("model", "\"" + id + "\" gives no " + what));
        }
    }
}
