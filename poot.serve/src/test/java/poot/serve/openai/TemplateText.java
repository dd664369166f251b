package poot.serve.openai;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import poot.api.model.ChatException;
import poot.api.model.TextCodec;
import poot.core.text.template.ChatTemplate;
import poot.core.text.template.TemplateException;

/** A codec with a template that offers tools and shows calls in tags, and no tokens. */
final class TemplateText implements TextCodec {
    private static final String TEMPLATE = """
            {%- if tools %}<|im_start|>system
            # Tools
            {%- for tool in tools %}
            {{ tool | tojson }}
            {%- endfor %}
            For each call return a json object within <tool_call></tool_call> tags:
            <tool_call>
            {"name": <function-name>, "arguments": <args-json-object>}
            </tool_call><|im_end|>
            {% endif %}
            {%- for m in messages %}<|im_start|>{{ m.role }}
            {{ m.content }}
            {%- for c in m.tool_calls or [] %}
            <tool_call>
            {"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}
            </tool_call>
            {%- endfor %}<|im_end|>
            {% endfor %}
            {%- if add_generation_prompt %}<|im_start|>assistant
            {% endif %}""";

    @Override
    public int vocabularySize() {
        return 0;
    }

    @Override
    public int[] encode(String text, boolean special) {
        return new int[0];
    }

    @Override
    public int[] encodeRendered(String text) {
        return new int[0];
    }

    @Override
    public Pair encodePair(String first, String second) {
        return new Pair(new int[0], new int[0]);
    }

    @Override
    public String decode(int[] ids, boolean skipSpecial) {
        return "";
    }

    @Override
    public byte[] bytes(int id) {
        return "".getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Stream stream(boolean skipSpecial) {
        throw new IllegalStateException("there are no tokens");
    }

    @Override
    public OptionalInt id(String token) {
        return OptionalInt.empty();
    }

    @Override
    public boolean hasChatTemplate() {
        return true;
    }

    @Override
    public String render(Map<String, Object> context) throws ChatException {
        try {
            return ChatTemplate.compile(TEMPLATE, "template").render(context);
        } catch (TemplateException e) {
            throw new ChatException(new ChatException.Refused(e.fault().message()), e);
        }
    }
}
