package poot.serve.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import poot.core.text.tokenizer.Tokenizer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Token ids to text, a line each. */
@Command(name = "detokenize", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Reads a JSON array of token ids a line and writes a JSON string a line.",
        footer = {"", "Example:", "  echo '[1, 2, 3]' | poot detokenize --tokenizer tokenizer.json --skip-special"})
final class DetokenizeCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Mixin
    private TokenizerOptions options;

    @Option(names = "--skip-special", description = "Leave special tokens out of the text.")
    private boolean skipSpecial;

    @Override
    public Integer call() throws Exception {
        Tokenizer tokenizer = options.open();
        JsonMapper json = JsonMapper.shared();
        TokenizerOptions.eachLine(console, line -> {
            try {
                return json.writeValueAsString(tokenizer.decode(json.readValue(line, int[].class), skipSpecial));
            } catch (JacksonException e) {
                throw new CommandFailure("a line of input is not a JSON array of token ids: " + e.getOriginalMessage());
            }
        });
        return 0;
    }
}
