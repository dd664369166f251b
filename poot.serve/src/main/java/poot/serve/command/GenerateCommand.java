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
import poot.core.text.ContinuedText;
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
            TextCodec.Stream stream = ContinuedText.after(model.text(), prompt);
            StringBuilder text = new StringBuilder();
            Figures figures = new Figures(prompt.length);
            Generation g = driver.generate(request, limits, pick -> {
                figures.token();
                String more = stream.next(pick.token());
                if (output == Output.text) {
                    console.emit(more);
                } else {
                    text.append(more);
                }
                return true;
            });
            write(g, model.text(), text.toString(), stream.finish());
            console.err().println(figures);
            return Outcome.of(g, console);
        }
    }

    /** Writes what is not written yet; {@code rest} ends the text. */
    private void write(Generation g, TextCodec codec, String text, String rest) {
        switch (output) {
            case text -> console.line(rest);
            case ids -> console.line(TokenIds.show(g.tokens()));
            case json -> {
                Map<String, Object> o = new LinkedHashMap<>();
                o.put("ids", g.tokens());
                o.put("text", text + rest);
                o.put("finish", g.finish().name().toLowerCase(java.util.Locale.ROOT));
                if (g.picks().stream().anyMatch(p -> !p.top().isEmpty())) {
                    o.put("logprobs", g.picks().stream().map(p -> logprobs(p, codec)).toList());
                }
                console.line(JsonMapper.shared().writeValueAsString(o));
            }
        }
    }

    private static Map<String, Object> logprobs(Pick p, TextCodec codec) {
        List<Map<String, Object>> top = new ArrayList<>();
        p.top().forEach(c -> top.add(entry(c.token(), c.logprob(), codec)));
        Map<String, Object> o = entry(p.token(), p.logprob(), codec);
        o.put("top", top);
        return o;
    }

    private static Map<String, Object> entry(int id, float logprob, TextCodec codec) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("id", id);
        o.put("text", ContinuedText.token(codec, id));
        o.put("logprob", Float.isFinite(logprob) ? logprob : null);
        return o;
    }
}
