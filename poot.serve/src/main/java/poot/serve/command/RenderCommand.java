package poot.serve.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import poot.core.json.Json;
import poot.core.json.JsonLimits;
import poot.core.text.template.ChatTemplate;

/** Renders a chat template. */
@Command(name = "render", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Renders a chat template with a JSON context; writes the text, byte for byte.",
        footer = {"", "Example:", "  poot render --template chat_template.jinja --context context.json"})
final class RenderCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Option(names = "--template", required = true, paramLabel = "FILE", description = "The template.")
    private Path template;

    @Option(names = "--context", required = true, paramLabel = "FILE",
            description = "A JSON object: messages, tools, add_generation_prompt …")
    private Path context;

    @Override
    public Integer call() throws Exception {
        String source;
        try {
            source = Files.readString(template);
        } catch (IOException e) {
            throw new CommandFailure(template + ": cannot be read: " + e);
        }
        console.out().print(ChatTemplate.compile(source, template.toString()).render(Json.tree(context, JsonLimits.CONFIG)));
        console.flush();
        return 0;
    }
}
