package poot.serve.command;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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

/** Orders documents by how well they answer a query. */
@Command(name = "rerank", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Scores documents against a query with a cross-encoder, the best first.",
        footer = {"", "Example:", "  poot rerank -m reranker --query \"what do cats eat\" \"Cats eat fish.\" \"It rains.\""})
final class RerankCommand implements Callable<Integer> {
    private final Console console = new Console();

    /** A document's place in the command line and its raw score. */
    private record Scored(int index, float score) {
        Map<String, Object> object() {
            Map<String, Object> o = new LinkedHashMap<>();
            o.put("index", index);
            o.put("score", score);
            return o;
        }
    }

    @Mixin
    private ModelOptions modelOptions;

    @Option(names = "--json", description = "Write [{\"index\":, \"score\":}]; otherwise a line a document.")
    private boolean json;

    @Option(names = "--query", required = true, paramLabel = "TEXT", description = "The query.")
    private String query;

    @Parameters(arity = "1..*", paramLabel = "DOC", description = "The documents.")
    private List<String> documents;

    @Override
    public Integer call() throws Exception {
        try (LoadedModel model = LoadedModel.open(modelOptions, console)) {
            EncodeRows.require(model.model(), ModelSchema.SCORE, "scores");
            List<EncodeRow> rows = documents.stream()
                    .map(d -> EncodeRows.pair(model.model(), model.text().encodePair(query, d))).toList();
            int longest = rows.stream().mapToInt(r -> r.ids().length).max().orElse(1);
            ServingDriver driver = model.encoder(longest);
            List<Scored> scored = score(driver.encode(rows));
            scored.sort(Comparator.comparingDouble(Scored::score).reversed().thenComparingInt(Scored::index));
            if (json) {
                console.line(JsonMapper.shared().writeValueAsString(scored.stream().map(Scored::object).toList()));
            } else {
                scored.forEach(s -> console.line(String.format(Locale.ROOT, "%.5f  %s", s.score(), documents.get(s.index()))));
            }
            return 0;
        }
    }

    private static List<Scored> score(List<EncodeResult> results) throws CommandFailure {
        List<Scored> scored = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            switch (results.get(i)) {
                case EncodeResult.Score s -> scored.add(new Scored(i, s.score()));
                case EncodeResult.Embedding e -> throw new CommandFailure("the model gave an embedding, not a score");
                case EncodeResult.Failed f -> throw new CommandFailure("document " + i + ": " + f.fault().message());
            }
        }
        return scored;
    }
}
