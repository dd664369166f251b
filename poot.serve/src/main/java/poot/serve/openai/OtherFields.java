package poot.serve.openai;

import java.util.ArrayList;
import java.util.List;
import poot.serve.schema.Field;
import poot.serve.schema.Kind;
import poot.serve.schema.Shape;

/** What the requests other than chat may say. */
public final class OtherFields {
    private static final int PROMPTS = 128;
    private static final int IDS = 1 << 20;
    private static final int INPUTS = 2048;
    private static final int DOCUMENTS = 1024;

    private static final Kind ID = Kind.whole(0, Integer.MAX_VALUE);

    /** {@code POST /v1/completions}. */
    public static final Shape COMPLETION = completion();

    /** {@code POST /v1/embeddings}. */
    public static final Shape EMBEDDING = Shape.of("EmbeddingRequest",
            SamplingFields.model(),
            Field.required("input", Kind.either(Kind.text(), Kind.list(Kind.text(), 1, INPUTS), Kind.list(ID, 1, IDS),
                    Kind.list(Kind.list(ID, 1, IDS), 1, INPUTS)), "a text, texts, or framed token ids"),
            Field.optional("encoding_format", Kind.oneOf("float", "base64"), "numbers, or base64 of little-endian F32; default float"),
            Field.optional("dimensions", Kind.whole(1, 1 << 20), "the first dimensions alone, scaled to length 1 again"),
            Field.noEffect("user", Kind.text(), "identifies the caller's user; nothing is kept"));

    private static final Shape DOCUMENT = Shape.of("RerankDocument", Field.required("text", Kind.text(), "the text"));

    /** {@code POST /v1/rerank}. */
    public static final Shape RERANK = Shape.of("RerankRequest",
            SamplingFields.model(),
            Field.required("query", Kind.text(), "what is looked for"),
            Field.required("documents", Kind.either(Kind.list(Kind.text(), 1, DOCUMENTS), Kind.list(Kind.object(DOCUMENT), 1, DOCUMENTS)),
                    "what is ordered"),
            Field.optional("top_n", Kind.whole(1, DOCUMENTS), "the best so many alone"),
            Field.optional("return_documents", Kind.flag(), "give each text back; default false"),
            Field.noEffect("user", Kind.text(), "identifies the caller's user; nothing is kept"));

    /** {@code POST /tokenize}. */
    public static final Shape TOKENIZE = Shape.of("TokenizeRequest",
            SamplingFields.model(),
            Field.optional("prompt", Kind.text(), "a text; either this, content or messages"),
            Field.optional("content", Kind.text(), "the same, as others spell it"),
            Field.optional("messages", ChatFields.REQUEST.field("messages").orElseThrow().kind(), "a conversation"),
            Field.optional("tools", ChatFields.REQUEST.field("tools").orElseThrow().kind(), "functions, with messages"),
            Field.optional("add_generation_prompt", Kind.flag(), "ask for the assistant's turn; default true, with messages"),
            Field.optional("chat_template_kwargs", new Kind.AnyObject(), "variables for the chat template, with messages"),
            Field.optional("add_special_tokens", Kind.flag(), "frame the text as the checkpoint does; default true, with a text"),
            Field.optional("return_token_strs", Kind.flag(), "give the text of each token too"));

    /** {@code POST /detokenize}. */
    public static final Shape DETOKENIZE = Shape.of("DetokenizeRequest",
            SamplingFields.model(),
            Field.required("tokens", Kind.list(ID, 0, IDS), "token ids"),
            Field.optional("skip_special_tokens", Kind.flag(), "leave out marks; default false"));

    private OtherFields() {}

    private static Shape completion() {
        List<Field> all = new ArrayList<>();
        all.add(SamplingFields.model());
        all.add(Field.required("prompt", Kind.either(Kind.text(), Kind.list(Kind.text(), 1, PROMPTS), Kind.list(ID, 1, IDS),
                Kind.list(Kind.list(ID, 1, IDS), 1, PROMPTS)), "a text, texts, token ids, or lists of token ids"));
        all.add(Field.optional("max_tokens", Kind.whole(1, Integer.MAX_VALUE), "tokens of each choice at most; default 16"));
        all.addAll(SamplingFields.choosing());
        all.add(Field.optional("logprobs", Kind.whole(0, SamplingFields.TOP_LOGPROBS), "report the logprobs of each token and so many likeliest"));
        all.add(Field.optional("echo", Kind.flag(), "begin each choice with its prompt; not with logprobs"));
        all.add(Field.optional("best_of", Kind.whole(1, SamplingFields.CHOICES),
                "candidates, of which the n of the greatest mean logprob a token are returned; not with stream"));
        all.add(Field.onlyWhen("suffix", Kind.text(), List.of("\"\""), "the model does not fill in"));
        all.addAll(SamplingFields.passive().stream().filter(f -> f.name().equals("user")).toList());
        return Shape.of("CompletionRequest", all);
    }
}
