package poot.serve.command;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import poot.core.text.tokenizer.Tokenizer;
import tools.jackson.databind.JsonNode;
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
        TokenizerOptions.eachLine(console, "a JSON array of token ids",
                line -> JsonMapper.shared().writeValueAsString(tokenizer.decode(ids(line), skipSpecial)));
        return 0;
    }

    private static int[] ids(JsonNode line) throws CommandFailure {
        if (!line.isArray()) {
            throw new CommandFailure("it holds " + line.getNodeType().name().toLowerCase(Locale.ROOT));
        }
        int[] ids = new int[line.size()];
        for (int i = 0; i < ids.length; i++) {
            if (!line.get(i).isInt()) {
                throw new CommandFailure("element " + i + " is " + line.get(i));
            }
            ids[i] = line.get(i).intValue();
        }
        return ids;
    }
}
