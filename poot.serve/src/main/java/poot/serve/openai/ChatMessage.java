package poot.serve.openai;

import java.util.ArrayList;
import java.util.List;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The assistant's message, put together from deltas. */
final class ChatMessage {
    private final StringBuilder content = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private final List<Called> calls = new ArrayList<>();
    private Delta.Finish finish;

    private record Called(String id, String name, StringBuilder arguments) {}

    void add(Delta d) {
        switch (d) {
            case Delta.Text t -> content.append(t.text());
            case Delta.Reasoning r -> reasoning.append(r.text());
            case Delta.CallStart c -> calls.add(new Called(c.id(), c.name(), new StringBuilder()));
            case Delta.CallArguments a -> calls.get(a.call()).arguments().append(a.text());
            case Delta.Finish f -> finish = f;
        }
    }

    /** How it ended. */
    Delta.Finish finish() {
        return finish;
    }

    /** What was said. */
    String content() {
        return content.toString();
    }

    /** As the API shows it: no content beside calls where there is none. */
    ObjectNode object() {
        ObjectNode out = JsonText.object().put("role", "assistant");
        out.put("content", content.isEmpty() && !calls.isEmpty() ? null : content.toString());
        out.putNull("refusal");
        if (!reasoning.isEmpty()) {
            out.put("reasoning_content", reasoning.toString());
        }
        if (!calls.isEmpty()) {
            ArrayNode list = out.putArray("tool_calls");
            for (Called c : calls) {
                list.addObject().put("id", c.id()).put("type", "function").putObject("function").put("name", c.name())
                        .put("arguments", c.arguments().toString());
            }
        }
        return out;
    }
}
