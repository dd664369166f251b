package poot.serve.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import poot.serve.load.LoadException;
import poot.serve.load.LoadFigures;
import poot.serve.load.LoadPlan;
import poot.serve.load.LoadReport;
import poot.serve.load.LoadRun;
import poot.serve.load.LoadTarget;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Puts running servers under load, one after another, round by round. */
@Command(name = "load", mixinStandardHelpOptions = true, sortOptions = false,
        description = {"Puts running OpenAI-compatible servers under load and compares them.",
            "Every stream asks for a completion of a prompt of random tokens, greedily; servers take turns, round by round."},
        footer = {"", "Example:", "  poot load --target poot=http://127.0.0.1:8080 --target other=http://127.0.0.1:8081 --streams 1,8,32"})
final class LoadCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Option(names = "--target", required = true, paramLabel = "NAME=URL", description = "A server, which is asked for the first model it lists; may be given several times.")
    private List<String> targets;

    @Option(names = "--streams", split = ",", defaultValue = "1,8,32,128", paramLabel = "N",
            description = "Streams at once, one measurement each. Default: ${DEFAULT-VALUE}.")
    private List<Integer> streams;

    @Option(names = "--prompt", defaultValue = "256", paramLabel = "N", description = "Prompt tokens. Default: ${DEFAULT-VALUE}.")
    private int prompt;

    @Option(names = "--shared", defaultValue = "0", paramLabel = "N",
            description = "Tokens at the beginning that all prompts share. Default: ${DEFAULT-VALUE}.")
    private int shared;

    @Option(names = "--output", defaultValue = "128", paramLabel = "N", description = "New tokens of a stream. Default: ${DEFAULT-VALUE}.")
    private int output;

    @Option(names = "--vocabulary", defaultValue = "32000", paramLabel = "N",
            description = "Prompts are of ids from 1000 below this. Default: ${DEFAULT-VALUE}.")
    private int vocabulary;

    @Option(names = "--repeat", defaultValue = "3", paramLabel = "N", description = "Rounds. Default: ${DEFAULT-VALUE}.")
    private int repeat;

    @Option(names = "--limit", defaultValue = "1800", paramLabel = "SECONDS",
            description = "After which a stream is given up. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write everything measured as JSON.")
    private Path json;

    @Override
    public Integer call() throws Exception {
        try {
            List<LoadTarget> servers = new ArrayList<>();
            for (String t : targets) {
                servers.add(LoadTarget.parse(t));
            }
            LoadPlan plan = new LoadPlan(servers, streams, new LoadPlan.Request(prompt, shared, output, vocabulary, limit), repeat).checked();
            console.line(LoadReport.heading());
            List<LoadFigures> figures = new LoadRun(plan).run(f -> console.line(LoadReport.line(f)));
            if (json != null) {
                Files.writeString(json, JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build()
                        .writeValueAsString(LoadReport.json(plan, figures)) + "\n");
            }
            return figures.stream().anyMatch(f -> f.failed() > 0) ? 1 : 0;
        } catch (LoadException e) {
            throw new CommandFailure(e.getMessage());
        }
    }
}
