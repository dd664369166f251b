package poot.serve.command;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.ServingDriver;
import poot.api.model.ModelSchema;
import tools.jackson.databind.json.JsonMapper;

/** Embeds a text. */
@Command(name = "embed", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Writes the embedding of a text.",
        footer = {"", "Example:", "  poot embed -m all-MiniLM-L6-v2 --json \"a small cat\""})
final class EmbedCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Mixin
    private ModelOptions modelOptions;

    @Option(names = "--json", description = "Write {\"embedding\": [...]}; otherwise the numbers, separated by spaces.")
    private boolean json;

    @Option(names = "--input-ids", paramLabel = "IDS", description = "The text as token ids, framed: 1,2,3.")
    private String inputIds;

    @Parameters(arity = "0..*", paramLabel = "TEXT", description = "The text.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws Exception {
        if (inputIds == null == words.isEmpty()) {
            throw new CommandFailure("give either a TEXT or --input-ids");
        }
        try (LoadedModel model = LoadedModel.open(modelOptions, console)) {
            EncodeRows.require(model.model(), ModelSchema.EMBEDDING, "embeddings");
            int[] ids = inputIds != null
                    ? TokenIds.parse("--input-ids", inputIds) : model.text().encode(String.join(" ", words), true);
            ServingDriver driver = model.encoder(ids.length);
            return switch (driver.encode(List.of(EncodeRow.of(ids))).get(0)) {
                case EncodeResult.Embedding e -> {
                    write(e.vector());
                    yield 0;
                }
                case EncodeResult.Score s -> throw new CommandFailure("the model gave a score, not an embedding");
                case EncodeResult.Failed f -> throw new CommandFailure(f.fault().message());
            };
        }
    }

    private void write(float[] vector) {
        if (json) {
            console.line(JsonMapper.shared().writeValueAsString(Map.of("embedding", vector)));
            return;
        }
        StringBuilder s = new StringBuilder();
        for (float x : vector) {
            s.append(s.isEmpty() ? "" : " ").append(x);
        }
        console.line(s.toString());
    }
}
