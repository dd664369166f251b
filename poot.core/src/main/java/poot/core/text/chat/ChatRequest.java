package poot.core.text.chat;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A conversation as the OpenAI schema writes it, in values a JSON reader makes: {@code Map}, {@code List},
 * {@code String}, {@code Number}, {@code Boolean}, null.
 *
 * @param messages  turns: {@code role}, {@code content} as text or text parts, {@code tool_calls}, {@code tool_call_id},
 *                  {@code reasoning_content} …
 * @param tools     tools offered; empty for none
 * @param generate  whether the prompt asks for the assistant's next turn
 * @param arguments further variables of the template: {@code enable_thinking}, {@code reasoning_effort} …
 */
public record ChatRequest(
        List<Map<String, Object>> messages, List<Map<String, Object>> tools, boolean generate, Map<String, Object> arguments) {
    public ChatRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
        Objects.requireNonNull(arguments);
    }
}
