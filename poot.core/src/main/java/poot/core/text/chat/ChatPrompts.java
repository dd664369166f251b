package poot.core.text.chat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.model.ChatException;
import poot.api.model.ChatException.BadMessage;
import poot.api.model.ChatException.NoTemplate;
import poot.api.model.TextCodec;

/** Prompts of a model: conversations, rendered by its chat template. Immutable, safe for use by several threads. */
public final class ChatPrompts {
    private static final List<String> OWN = List.of("messages", "tools", "add_generation_prompt");

    private final TextCodec codec;
    private final ChatTraits traits;

    private ChatPrompts(TextCodec codec, ChatTraits traits) {
        this.codec = codec;
        this.traits = traits;
    }

    /** The prompts of a codec's model. Renders the template a few times; to be kept. */
    public static ChatPrompts of(TextCodec codec) {
        return new ChatPrompts(codec, ChatTraits.of(codec));
    }

    /** Whether the template tells the model of the tools it is offered. */
    public boolean takesTools() {
        return traits.toolVariable().isPresent();
    }

    /** What the template takes. */
    public ChatTraits traits() {
        return traits;
    }

    /**
     * The prompt text of a conversation; special tokens in it are to be read as such.
     *
     * @throws ChatException if there is no template, a message is not of the schema ({@code BadMessage} names where), or
     *                       the template refuses the conversation
     */
    public String render(ChatRequest request) throws ChatException {
        if (!codec.hasChatTemplate()) {
            throw new ChatException(new NoTemplate());
        }
        for (String name : OWN) {
            if (request.arguments().containsKey(name)) {
                throw new ChatException(new BadMessage("chat_template_kwargs." + name, "is set by the request itself; leave it out"));
            }
        }
        Map<String, Object> context = new HashMap<>(request.arguments());
        context.put("messages", new ChatMessages(traits).of(request.messages()));
        context.put("add_generation_prompt", request.generate());
        if (!request.tools().isEmpty()) {
            ChatCalls.checkTools(request.tools());
            context.put(traits.toolVariable().orElse("tools"), request.tools());
        }
        return codec.render(context);
    }
}
