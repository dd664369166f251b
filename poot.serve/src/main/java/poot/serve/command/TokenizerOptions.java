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

/** Which tokenizer a command reads, and its lines of input. */
final class TokenizerOptions {
    @Option(names = {"-m", "--model"}, paramLabel = "PATH", description = "The model whose tokenizer is used.")
    private Path model;

    @Option(names = "--tokenizer", paramLabel = "FILE", description = "A tokenizer.json, or a GGUF file with a vocabulary.")
    private Path tokenizer;

    /** Reads the tokenizer alone; no weight is looked at. */
    Tokenizer open() throws CommandFailure, LoadException {
        if (tokenizer == null == (model == null)) {
            throw new CommandFailure("give either --model or --tokenizer");
        }
        if (tokenizer != null && tokenizer.toString().endsWith(".json")) {
            return TokenizerJson.read(tokenizer);
        }
        try (Checkpoint checkpoint = Checkpoint.open(tokenizer != null ? tokenizer : model, new StoredFormats())) {
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
        /** The line of output for a line of input. */
        String answer(String line) throws CommandFailure;
    }

    /** Answers every line of standard input. */
    static void eachLine(Console console, Line line) throws IOException, CommandFailure {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String text = in.readLine(); text != null; text = in.readLine()) {
            if (!text.isBlank()) {
                console.out().print(line.answer(text));
                console.out().print('\n');
            }
        }
        console.flush();
    }
}
