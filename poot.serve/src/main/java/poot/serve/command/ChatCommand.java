package poot.serve.command;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Generation;
import poot.api.driver.HeadKind;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.model.TextCodec;
import poot.api.model.TextCodec.ChatMessage;

/** Talks with a model. */
@Command(name = "chat", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Answers a message, or talks until the input ends when none is given.",
        footer = {"", "Examples:",
            "  poot chat \"What is the capital of France?\"",
            "  poot chat -m model.gguf --system \"Answer in one sentence.\""})
final class ChatCommand implements Callable<Integer> {
    /** Positions of a talk, where the model's context allows them. */
    private static final int CONVERSATION = 4096;

    private final Console console = new Console();
    private final List<ChatMessage> conversation = new ArrayList<>();
    private GenerateLimits limits;

    @Mixin
    private ModelOptions modelOptions;

    @Mixin
    private SamplingOptions sampling;

    @Option(names = "--system", paramLabel = "TEXT", description = "The system message.")
    private String system;

    @Parameters(arity = "0..*", paramLabel = "MESSAGE", description = "What to say.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws Exception {
        if (system != null) {
            conversation.add(new ChatMessage("system", system));
        }
        try (LoadedModel model = LoadedModel.open(modelOptions, console)) {
            limits = sampling.limits(model.model().config());
            EnumSet<HeadKind> heads = EnumSet.of(sampling.head());
            if (words.isEmpty()) {
                return converse(model.generator(0, CONVERSATION, heads, sampling.logprobs()), model);
            }
            int[] prompt = say(String.join(" ", words), model.text());
            return answer(model.generator(prompt.length, limits.maxTokens(), heads, sampling.logprobs()), model, prompt);
        }
    }

    private int converse(ServingDriver driver, LoadedModel model) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        console.err().println("Type a message; an empty line or the end of input ends the talk.");
        int result = 0;
        while (result == 0) {
            console.err().print("> ");
            String line = in.readLine();
            if (line == null || line.isBlank()) {
                return 0;
            }
            result = answer(driver, model, say(line, model.text()));
        }
        return result;
    }

    private int[] say(String message, TextCodec text) throws Exception {
        conversation.add(new ChatMessage("user", message));
        return text.encodeRendered(text.render(conversation));
    }

    private int answer(ServingDriver driver, LoadedModel model, int[] prompt) throws Exception {
        TextCodec.Stream stream = model.text().stream(true);
        StringBuilder said = new StringBuilder();
        Figures figures = new Figures(prompt.length);
        SeqRequest request = SeqRequest.of(prompt).withSampling(sampling.params());
        Generation g = driver.generate(request, limits, pick -> {
            figures.token();
            String piece = stream.next(pick.token());
            said.append(piece);
            console.emit(piece);
            return true;
        });
        String rest = stream.finish();
        console.line(rest);
        conversation.add(new ChatMessage("assistant", said.append(rest).toString()));
        console.err().println(figures);
        return Outcome.of(g, console);
    }
}
