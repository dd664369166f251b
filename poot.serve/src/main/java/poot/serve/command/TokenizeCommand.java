package poot.serve.command;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import poot.core.text.tokenizer.Tokenizer;
import tools.jackson.databind.json.JsonMapper;

/** Text to token ids, a line each. */
@Command(name = "tokenize", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Reads a JSON string a line and writes a JSON array of token ids a line.",
        footer = {"", "Example:", "  echo '\"Hello there\"' | poot tokenize --tokenizer tokenizer.json"})
final class TokenizeCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Mixin
    private TokenizerOptions options;

    @Option(names = "--special", description = "Frame each text as the model frames a whole input.")
    private boolean special;

    @Override
    public Integer call() throws Exception {
        Tokenizer tokenizer = options.open();
        TokenizerOptions.eachLine(console, "a JSON string", line -> {
            if (!line.isString()) {
                throw new CommandFailure("it holds " + line.getNodeType().name().toLowerCase(Locale.ROOT));
            }
            return JsonMapper.shared().writeValueAsString(tokenizer.encode(line.asString(), special));
        });
        return 0;
    }
}
