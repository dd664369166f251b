package poot.serve.command;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Generation;
import poot.api.driver.Pick;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.model.TextCodec;
import tools.jackson.databind.json.JsonMapper;

/** Continues a prompt. */
@Command(name = "generate", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Continues a prompt.",
        footer = {"", "Examples:",
            "  poot generate \"Once upon a time\"",
            "  poot generate -m model.gguf -n 64 -t 0.8 --top-p 0.95 --seed 7 \"The river\"",
            "  poot generate -m DIR --prompt-ids 1,2,3 --max-tokens 24 --ignore-eos --output ids"})
final class GenerateCommand implements Callable<Integer> {
    private enum Output { text, ids, json }

    private final Console console = new Console();

    @Mixin
    private ModelOptions modelOptions;

    @Mixin
    private SamplingOptions sampling;

    @Option(names = "--prompt-ids", paramLabel = "IDS", description = "The prompt as token ids: 1,2,3.")
    private String promptIds;

    @Option(names = "--output", defaultValue = "text",
            description = "text (streamed), ids (one line) or json. Default: ${DEFAULT-VALUE}.")
    private Output output;

    @Parameters(arity = "0..*", paramLabel = "PROMPT", description = "The prompt; framed as the model frames a whole text.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws Exception {
        if (promptIds == null == words.isEmpty()) {
            throw new CommandFailure("give either a PROMPT or --prompt-ids");
        }
        try (LoadedModel model = LoadedModel.open(modelOptions, console)) {
            int[] prompt = promptIds != null
                    ? TokenIds.parse("--prompt-ids", promptIds) : model.text().encode(String.join(" ", words), true);
            GenerateLimits limits = sampling.limits(model.model().config());
            ServingDriver driver = model.generator(prompt.length, limits.maxTokens(), EnumSet.of(sampling.head()), sampling.logprobs());
            SeqRequest request = SeqRequest.of(prompt).withSampling(sampling.params());
            TextCodec.Stream stream = model.text().stream(true);
            Figures figures = new Figures(prompt.length);
            Generation g = driver.generate(request, limits, pick -> {
                figures.token();
                if (output == Output.text) {
                    console.emit(stream.next(pick.token()));
                }
                return true;
            });
            write(g, model.text(), stream);
            console.err().println(figures);
            return Outcome.of(g, console);
        }
    }

    private void write(Generation g, TextCodec text, TextCodec.Stream stream) {
        switch (output) {
            case text -> console.line(stream.finish());
            case ids -> console.line(TokenIds.show(g.tokens()));
            case json -> {
                Map<String, Object> o = new LinkedHashMap<>();
                o.put("ids", g.tokens());
                o.put("text", text.decode(g.tokens(), true));
                o.put("finish", g.finish().name().toLowerCase(java.util.Locale.ROOT));
                if (g.picks().stream().anyMatch(p -> !p.top().isEmpty())) {
                    o.put("logprobs", g.picks().stream().map(p -> logprobs(p, text)).toList());
                }
                console.line(JsonMapper.shared().writeValueAsString(o));
            }
        }
    }

    private static Map<String, Object> logprobs(Pick p, TextCodec text) {
        List<Map<String, Object>> top = new ArrayList<>();
        p.top().forEach(c -> top.add(entry(c.token(), c.logprob(), text)));
        Map<String, Object> o = entry(p.token(), p.logprob(), text);
        o.put("top", top);
        return o;
    }

    private static Map<String, Object> entry(int id, float logprob, TextCodec text) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("id", id);
        o.put("text", text.decode(new int[] {id}, false));
        o.put("logprob", Float.isFinite(logprob) ? logprob : null);
        return o;
    }
}
