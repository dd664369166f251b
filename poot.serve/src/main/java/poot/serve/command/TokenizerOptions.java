package poot.serve.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import poot.api.model.LoadException;
import poot.core.checkpoint.Checkpoint;
import poot.core.driver.StoredFormats;
import poot.core.text.tokenizer.GgufTokenizer;
import poot.core.text.tokenizer.Tokenizer;
import poot.core.text.tokenizer.TokenizerJson;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which tokenizer a command reads, and its lines of input. */
final class TokenizerOptions {
    @Option(names = {"-m", "--model"}, paramLabel = "MODEL",
            description = "The model whose tokenizer is used: a path or hf.co/OWNER/REPO[@REVISION][:FILE or QUANT]. Default: the small demo model.")
    private String model;

    @Option(names = "--offline", description = "Use the cache alone for a model named by hf.co/...")
    private boolean offline;

    @Option(names = "--tokenizer", paramLabel = "FILE", description = "A tokenizer.json, or a GGUF file with a vocabulary.")
    private Path tokenizer;

    /** Reads the tokenizer alone; no weight is looked at. */
    Tokenizer open() throws CommandFailure, LoadException {
        if (tokenizer != null && model != null) {
            throw new CommandFailure("give --model or --tokenizer, not both");
        }
        if (tokenizer != null && tokenizer.toString().endsWith(".json")) {
            return TokenizerJson.read(tokenizer);
        }
        Path path = tokenizer != null ? tokenizer
                : model != null ? NamedModel.path(model, offline, new Console()) : ModelOptions.demo();
        try (Checkpoint checkpoint = Checkpoint.open(path, new StoredFormats())) {
            return switch (checkpoint.source()) {
                case GGUF -> GgufTokenizer.read(checkpoint.config());
                case HF -> TokenizerJson.read(checkpoint.files().tokenizer().orElseThrow(
                        () -> new CommandFailure(checkpoint.path() + " holds no tokenizer.json")));
            };
        }
    }

    /** Handles one line of input. */
    @FunctionalInterface
    interface Line {
        /** The line of output for what a line of input holds. */
        String answer(JsonNode line) throws CommandFailure;
    }

    /** Answers every line of standard input that is not blank; {@code kind} says what a line must hold. */
    static void eachLine(Console console, String kind, Line line) throws IOException, CommandFailure {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int number = 0;
        for (String text = in.readLine(); text != null; text = in.readLine()) {
            number++;
            if (!text.isBlank()) {
                try {
                    console.line(line.answer(JsonMapper.shared().readTree(text)));
                } catch (JacksonException e) {
                    throw new CommandFailure("line " + number + " of the input is not " + kind + ": " + e.getOriginalMessage());
                } catch (CommandFailure e) {
                    throw new CommandFailure("line " + number + " of the input is not " + kind + ": " + e.getMessage());
                }
            }
        }
    }
}
