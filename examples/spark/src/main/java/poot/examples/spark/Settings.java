package poot.examples.spark;

import java.io.Serializable;
import java.util.Objects;

/**
 * What a job does with its lines; sent to every executor.
 *
 * @param model     where the checkpoint is on every machine: a Hugging Face directory or a GGUF file; or the bare name of a
 *     GGUF file that was submitted with {@code --files}; or a name on the hub
 * @param rows      sequences an executor's engine runs at once, at least 1
 * @param capacity  tokens a row can hold, prompt and answer together, at least 1; no more than the model's context is used
 * @param tokens    new tokens of an answer at most, at least 1
 * @param inFlight  lines a partition has submitted and not yet written, at most; at least 1
 * @param threads   threads of the engine's executor; 0 for one a core
 * @param jsonLines whether a line is a JSON object with a {@code prompt}, not the prompt itself
 */
record Settings(String model, int rows, int capacity, int tokens, int inFlight, int threads, boolean jsonLines)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The demo model, 8 rows of 512 tokens, answers of up to 64, twice as many lines in flight as rows, plain lines. */
    static final Settings DEFAULT = new Settings("models/poot-tiny", 8, 512, 64, 16, 0, false);

    Settings {
        Objects.requireNonNull(model);
        require("rows", rows, 1, 4096);
        require("capacity", capacity, 1, 1 << 20);
        require("tokens", tokens, 1, 1 << 20);
        require("in-flight", inFlight, 1, 1 << 16);
        require("threads", threads, 0, 1 << 12);
    }

    private static void require(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("--" + option + " " + value + ": give " + least + " to " + most);
        }
    }

    /** What an engine is made of: settings that agree in it share one. */
    EngineKey engine() {
        return new EngineKey(model, rows, capacity, threads);
    }

    /** The part of the settings that an engine is made of. */
    record EngineKey(String model, int rows, int capacity, int threads) {}

    Settings withModel(String m) {
        return new Settings(m, rows, capacity, tokens, inFlight, threads, jsonLines);
    }

    Settings withRows(int n) {
        return new Settings(model, n, capacity, tokens, inFlight, threads, jsonLines);
    }

    Settings withCapacity(int n) {
        return new Settings(model, rows, n, tokens, inFlight, threads, jsonLines);
    }

    Settings withTokens(int n) {
        return new Settings(model, rows, capacity, n, inFlight, threads, jsonLines);
    }

    Settings withInFlight(int n) {
        return new Settings(model, rows, capacity, tokens, n, threads, jsonLines);
    }

    Settings withThreads(int n) {
        return new Settings(model, rows, capacity, tokens, inFlight, n, jsonLines);
    }

    Settings withJsonLines(boolean yes) {
        return new Settings(model, rows, capacity, tokens, inFlight, threads, yes);
    }
}
