package poot.core.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.model.ChatException;
import poot.api.model.CheckpointException;
import poot.api.model.ConfigSource;
import poot.core.checkpoint.Checkpoint;
import poot.core.text.template.ChatTemplate;
import poot.core.text.template.TemplateException;

/**
 * The chat templates of a checkpoint, by name: {@code default}, and sometimes {@code tool_use} for conversations with
 * tools. A template that does not compile is kept as its fault, so that a checkpoint with a broken one still loads
 * and says what is wrong when a conversation is rendered.
 */
final class ChatTemplates {
    private static final String DEFAULT = "default";
    private static final String TOOL_USE = "tool_use";

    private sealed interface Compiled {
        record Ready(ChatTemplate template) implements Compiled {}

        record Broken(TemplateException fault) implements Compiled {}
    }

    private final Map<String, Compiled> templates;

    private ChatTemplates(Map<String, Compiled> templates) {
        this.templates = templates;
    }

    /** {@code chat_template.jinja} before {@code tokenizer_config.json}; the metadata of a GGUF. */
    static ChatTemplates of(Checkpoint checkpoint) throws CheckpointException {
        Map<String, Compiled> out = new LinkedHashMap<>();
        sources(checkpoint).forEach((name, source) -> out.put(name, compiled(source, name)));
        return new ChatTemplates(out);
    }

    boolean isEmpty() {
        return templates.isEmpty();
    }

    String render(Map<String, Object> context) throws ChatException {
        boolean tools = context.get("tools") instanceof List<?> list && !list.isEmpty();
        Compiled chosen = tools && templates.containsKey(TOOL_USE) ? templates.get(TOOL_USE) : templates.get(DEFAULT);
        if (chosen == null) {
            chosen = templates.values().stream().findFirst().orElse(null);
        }
        return switch (chosen) {
            case null -> throw new ChatException(new ChatException.NoTemplate());
            case Compiled.Broken b -> throw refused(b.fault());
            case Compiled.Ready r -> render(r.template(), context);
        };
    }

    private static String render(ChatTemplate template, Map<String, Object> context) throws ChatException {
        try {
            return template.render(context);
        } catch (TemplateException e) {
            throw refused(e);
        }
    }

    private static ChatException refused(TemplateException e) {
        return new ChatException(new ChatException.Refused(e.fault().message()), e);
    }

    private static Compiled compiled(String source, String name) {
        try {
            return new Compiled.Ready(ChatTemplate.compile(source, "chat template " + name));
        } catch (TemplateException e) {
            return new Compiled.Broken(e);
        }
    }

    private static Map<String, String> sources(Checkpoint checkpoint) throws CheckpointException {
        Map<String, String> out = new LinkedHashMap<>();
        if (checkpoint.source() == ConfigSource.GGUF) {
            String key = "tokenizer.chat_template";
            if (checkpoint.config().has(key)) {
                collect(out, checkpoint.config().raw(key));
            }
            return out;
        }
        Optional<String> file = checkpoint.files().chatTemplate();
        if (file.isPresent()) {
            out.put(DEFAULT, file.get());
        } else {
            checkpoint.files().tokenizerConfig().ifPresent(c -> collect(out, c.get("chat_template")));
        }
        return out;
    }

    /** One template's text, or a list of objects with {@code name} and {@code template}. */
    private static void collect(Map<String, String> out, Object value) {
        if (value instanceof String s) {
            out.put(DEFAULT, s);
        } else if (value instanceof List<?> list) {
            for (Object item : list) {
                if (item instanceof Map<?, ?> m && m.get("name") instanceof String name && m.get("template") instanceof String t) {
                    out.put(name, t);
                }
            }
        }
    }
}
