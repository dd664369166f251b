package poot.serve.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import poot.api.driver.HeadKind;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.graph.Shape;
import poot.core.checkpoint.SafetensorsWriter;

/** Writes the logits of a prompt. */
@Command(name = "logits", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Writes the logits that follow a prompt as a safetensors file: tensor \"logits\" [T|1, V] F32.",
        footer = {"", "Example:", "  poot logits -m DIR --prompt-ids 1,2,3 --all-positions --output-file logits.safetensors"})
final class LogitsCommand implements Callable<Integer> {
    /** Logits of one file at most: 1 GiB. */
    private static final int MOST = 1 << 28;

    private final Console console = new Console();

    @Mixin
    private ModelOptions modelOptions;

    @Option(names = "--prompt-ids", required = true, paramLabel = "IDS", description = "The prompt as token ids: 1,2,3.")
    private String promptIds;

    @Option(names = "--all-positions", description = "After every position, not only the last.")
    private boolean allPositions;

    @Option(names = "--output-file", required = true, paramLabel = "FILE", description = "Where to write: a file, replaced when complete, or a pipe.")
    private Path file;

    @Override
    public Integer call() throws Exception {
        int[] prompt = TokenIds.parse("--prompt-ids", promptIds);
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder)) {
            throw new CommandFailure("--output-file " + file + ": give the name of a file in a folder that exists");
        }
        try (LoadedModel model = LoadedModel.open(modelOptions, console)) {
            int rows = allPositions ? prompt.length : 1;
            int vocabulary = model.model().config().vocabulary();
            if ((long) rows * vocabulary > MOST) {
                throw new CommandFailure("--all-positions: " + rows + " rows of " + vocabulary + " logits; at most " + MOST
                        + " are written, give a shorter prompt");
            }
            ServingDriver driver = model.generator(prompt.length, 0, EnumSet.of(HeadKind.LOGITS), 0);
            float[] logits = new float[rows * vocabulary];
            int[] start = allPositions ? new int[] {prompt[0]} : prompt;
            Sequence sequence = driver.open(SeqRequest.of(start).withLogits());
            for (int row = 0; row < rows; row++) {
                if (row > 0) {
                    driver.commit(sequence, prompt[row]);
                }
                System.arraycopy(last(driver, sequence), 0, logits, row * vocabulary, vocabulary);
            }
            driver.release(sequence);
            write(new SafetensorsWriter().floats("logits", Shape.of(rows, vocabulary), logits));
            return 0;
        }
    }

    private void write(SafetensorsWriter content) throws CommandFailure {
        try {
            content.write(file);
        } catch (IOException e) {
            throw new CommandFailure("--output-file " + file + ": cannot be written: " + e);
        }
    }

    /** Steps until the pending tokens are fed. */
    private static float[] last(ServingDriver driver, Sequence sequence) throws Exception {
        while (true) {
            switch (driver.step(List.of(RowWork.of(sequence))).get(0)) {
                case RowResult.Fed fed -> { }
                case RowResult.Logits l -> {
                    return l.logits();
                }
                case RowResult.Picked p -> throw new CommandFailure("the driver chose a token where logits were asked for");
                case RowResult.Failed f -> throw new CommandFailure(f.fault().message());
            }
        }
    }
}
