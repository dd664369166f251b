package poot.serve.openai;

import java.io.IOException;
import java.util.Optional;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The items of a response as deltas build them, and the events that tell of each step. For one thread. */
final class ResponseOutput {
    private final Answer.Sink sink;
    private final ArrayNode items = JsonText.array();
    private final StringBuilder text = new StringBuilder();
    private Optional<ObjectNode> open = Optional.empty();
    private long sequence;

    /** Items whose events go there. */
    ResponseOutput(Answer.Sink sink) {
        this.sink = sink;
    }

    /** Every item, whole once {@linkplain #end ended}. */
    ArrayNode items() {
        return items;
    }

    /** Sends an event of the next number. */
    void event(String type, ObjectNode fields) throws IOException {
        ObjectNode out = JsonText.object().put("type", type).put("sequence_number", sequence++);
        out.setAll(fields);
        sink.event(type, out);
    }

    /** Adds a delta. */
    void add(Delta d) throws IOException {
        switch (d) {
            case Delta.Text t -> {
                within("message", "msg_");
                text.append(t.text());
                event("response.output_text.delta", content().put("delta", t.text()).set("logprobs", JsonText.array()));
            }
            case Delta.Reasoning r -> {
                within("reasoning", "rs_");
                text.append(r.text());
                event("response.reasoning_text.delta", content().put("delta", r.text()));
            }
            case Delta.CallStart c -> {
                end("completed");
                ObjectNode item = JsonText.object().put("id", "fc_" + Identity.unique()).put("type", "function_call")
                        .put("status", "in_progress").put("call_id", c.id()).put("name", c.name()).put("arguments", "");
                begin(item);
            }
            case Delta.CallArguments a -> {
                text.append(a.text());
                event("response.function_call_arguments.delta", place().put("delta", a.text()));
            }
            case Delta.Finish f -> end(f.reason().equals("length") ? "incomplete" : "completed");
        }
    }

    private void within(String type, String prefix) throws IOException {
        if (open.filter(o -> o.get("type").stringValue().equals(type)).isPresent()) {
            return;
        }
        end("completed");
        ObjectNode item = JsonText.object().put("id", prefix + Identity.unique()).put("type", type).put("status", "in_progress");
        if (type.equals("message")) {
            item.put("role", "assistant");
        } else {
            item.putArray("summary");
        }
        item.putArray("content");
        begin(item);
        event("response.content_part.added", content().set("part", part(type, "")));
    }

    private void begin(ObjectNode item) throws IOException {
        open = Optional.of(item);
        items.add(item);
        text.setLength(0);
        event("response.output_item.added", JsonText.object().put("output_index", items.size() - 1).set("item", item.deepCopy()));
    }

    /** Ends the open item, if one is. */
    void end(String status) throws IOException {
        if (open.isEmpty()) {
            return;
        }
        ObjectNode item = open.get();
        String type = item.get("type").stringValue();
        if (type.equals("function_call")) {
            item.put("arguments", text.toString());
            event("response.function_call_arguments.done", place().put("arguments", text.toString()).put("name", item.get("name").stringValue()));
        } else {
            ObjectNode part = part(type, text.toString());
            ObjectNode done = content().put("text", text.toString());
            if (type.equals("message")) {
                done.putArray("logprobs");
            }
            event(type.equals("message") ? "response.output_text.done" : "response.reasoning_text.done", done);
            event("response.content_part.done", content().set("part", part));
            ((ArrayNode) item.get("content")).add(part);
        }
        item.put("status", status);
        event("response.output_item.done", JsonText.object().put("output_index", items.size() - 1).set("item", item.deepCopy()));
        open = Optional.empty();
    }

    private static ObjectNode part(String type, String text) {
        if (type.equals("reasoning")) {
            return JsonText.object().put("type", "reasoning_text").put("text", text);
        }
        ObjectNode out = JsonText.object().put("type", "output_text").put("text", text);
        out.putArray("annotations");
        out.putArray("logprobs");
        return out;
    }

    private ObjectNode place() {
        return JsonText.object().put("item_id", open.orElseThrow().get("id").stringValue()).put("output_index", items.size() - 1);
    }

    private ObjectNode content() {
        return place().put("content_index", 0);
    }
}
