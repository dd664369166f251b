package poot.core.text.template;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import poot.core.text.template.TemplateException.Limit;
import poot.core.text.template.TemplateException.LimitExceeded;

/**
 * A compiled chat template: the text a model is prompted with, as a function of a conversation. It renders what jinja2
 * 3.1 renders in the environment Hugging Face transformers sets up (immutable sandbox, {@code trim_blocks},
 * {@code lstrip_blocks}, loop controls, {@code generation} blocks, {@code tojson} as {@code json.dumps},
 * {@code raise_exception}, {@code strftime_now}), byte for byte.
 *
 * <p>Immutable; may be rendered by many threads at once.
 */
public final class ChatTemplate {
    private final String name;
    private final List<Node> body;
    private final TemplateSettings settings;

    private ChatTemplate(String name, List<Node> body, TemplateSettings settings) {
        this.name = name;
        this.body = body;
        this.settings = settings;
    }

    /** {@link #compile(String, String, TemplateSettings)} with {@link TemplateSettings#standard()}. */
    public static ChatTemplate compile(String source, String name) throws TemplateException {
        return compile(source, name, TemplateSettings.standard());
    }

    /**
     * Compiles a template.
     *
     * @param source   the template's text
     * @param name     what faults call it: a file or a key
     * @param settings clock and limits of every render
     * @throws TemplateException where the source is not a template, uses what is not supported, or exceeds a limit
     */
    public static ChatTemplate compile(String source, String name, TemplateSettings settings) throws TemplateException {
        Objects.requireNonNull(name, "name");
        if (source.length() > settings.limits().source()) {
            throw new TemplateException(new LimitExceeded(name, 0, Limit.SOURCE, settings.limits().source()));
        }
        Tokens tokens = new Tokens(name, Lexer.scan(name, source));
        return new ChatTemplate(name, Parser.parse(tokens, settings.limits().depth()), settings);
    }

    /**
     * Renders a conversation.
     *
     * @param context the template's variables ({@code messages}, {@code tools}, {@code documents},
     *                {@code add_generation_prompt}, {@code bos_token} …): Map with String keys, List, String, Boolean,
     *                Number and null, nested; read in the maps' own order, never changed
     * @throws TemplateException where the template refuses the conversation, cannot take it, or exceeds a limit
     */
    public String render(Map<String, ?> context) throws TemplateException {
        Run run = new Run(name, settings);
        Scope root = new Scope(null);
        for (var global : Globals.ALL.entrySet()) {
            root.set(global.getKey(), global.getValue());
        }
        new ContextReader(run).readInto(root, context);
        StringBuilder out = new StringBuilder();
        new Interpreter(run).execute(body, new Scope(root), out);
        return out.toString();
    }

    /** What faults call it. */
    public String name() {
        return name;
    }
}
