package poot.serve.command;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
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
        String source = source();
        if (!Files.isRegularFile(context)) {
            throw new CommandFailure("--context " + context + ": there is no such file");
        }
        console.out().print(ChatTemplate.compile(source, template.toString()).render(Json.tree(context, JsonLimits.CONFIG)));
        console.flush();
        return 0;
    }

    private String source() throws CommandFailure {
        if (!Files.isRegularFile(template)) {
            throw new CommandFailure("--template " + template + ": there is no such file");
        }
        try {
            return Files.readString(template);
        } catch (CharacterCodingException e) {
            throw new CommandFailure("--template " + template + ": is not UTF-8");
        } catch (IOException e) {
            throw new CommandFailure("--template " + template + ": cannot be read: " + e);
        }
    }
}
