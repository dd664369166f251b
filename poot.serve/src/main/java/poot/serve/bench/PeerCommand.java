package poot.serve.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The command of another engine, run once a turn on the same checkpoint. It is split into words at spaces outside
 * quotes, never given to a shell; {@code {model}}, {@code {prefill}}, {@code {decode}}, {@code {context}},
 * {@code {batch}} and {@code {threads}} in a word stand for the checkpoint's path and for numbers. For a prompt
 * {@code {decode}} is 0, for a continuation {@code {prefill}} is 0.
 */
public final class PeerCommand {
    private static final int MOST_OUTPUT = 1 << 20;
    private static final int SHOWN = 600;

    private final String template;
    private final List<String> words;
    private final int seconds;

    /**
     * A command from its template.
     *
     * @param seconds how long a turn may take
     * @throws BenchException if the template is empty or a quote is left open
     */
    public PeerCommand(String template, int seconds) throws BenchException {
        this.template = template;
        this.words = split(template);
        this.seconds = seconds;
    }

    /** The command as it was given. */
    public String template() {
        return template;
    }

    /** Why this command cannot be asked for a workload, or an empty text. */
    public String refusal(Workload workload) {
        return switch (workload) {
            case Workload.Prompt p -> lacks("{prefill}");
            case Workload.Continuation c -> !lacks("{decode}").isEmpty() ? lacks("{decode}")
                    : c.context() > 0 && !lacks("{context}").isEmpty() ? lacks("{context}")
                    : c.rows() > 1 ? lacks("{batch}") : "";
        };
    }

    private String lacks(String place) {
        return template.contains(place) ? "" : "the peer's command has no " + place;
    }

    /** The words for a workload. */
    List<String> words(Path model, Workload workload, int threads) {
        int prefill = workload instanceof Workload.Prompt p ? p.tokens() : 0;
        int decode = workload instanceof Workload.Continuation c ? c.each() : 0;
        int context = workload instanceof Workload.Continuation c ? c.context() : 0;
        return words.stream().map(w -> w.replace("{prefill}", "" + prefill).replace("{decode}", "" + decode)
                .replace("{context}", "" + context).replace("{batch}", "" + workload.rows())
                .replace("{threads}", "" + threads).replace("{model}", model.toAbsolutePath().toString())).toList();
    }

    /**
     * Runs one turn.
     *
     * @return tokens a second, all rows together
     * @throws BenchException if the command cannot be started, fails, takes too long, or says nothing that can be read
     */
    public double run(Path model, Workload workload, int threads) throws BenchException, InterruptedException {
        List<String> command = words(model, workload, threads);
        Process process;
        try {
            process = new ProcessBuilder(command).start();
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new BenchException("the peer's command cannot be started: " + e.getMessage());
        }
        try {
            CompletableFuture<String> out = CompletableFuture.supplyAsync(() -> text(process.getInputStream()), Thread::startVirtualThread);
            CompletableFuture<String> err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()), Thread::startVirtualThread);
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new BenchException("the peer's command took more than " + seconds + " s: " + String.join(" ", command)
                        + "; allow it more with --beside-limit");
            }
            if (process.exitValue() != 0) {
                throw new BenchException("the peer's command ended with status " + process.exitValue() + ": "
                        + String.join(" ", command) + "\n" + tail(err.join()));
            }
            return PeerOutput.speed(out.join(), workload);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** The first bytes of a stream, which is read to its end. */
    private static String text(InputStream in) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        byte[] piece = new byte[1 << 16];
        try (in) {
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                kept.write(piece, 0, Math.min(n, MOST_OUTPUT - kept.size()));
            }
        } catch (IOException e) {
            return kept.toString(StandardCharsets.UTF_8); // the process is gone; its status says why
        }
        return kept.toString(StandardCharsets.UTF_8);
    }

    private static String tail(String text) {
        String t = text.strip();
        return t.length() <= SHOWN ? t : t.substring(t.length() - SHOWN);
    }

    /** Words between spaces; single or double quotes hold a word together. */
    static List<String> split(String template) throws BenchException {
        List<String> out = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (char c : template.toCharArray()) {
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    out.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw new BenchException("the peer's command has an open " + quote + ": " + template);
        }
        if (inWord) {
            out.add(word.toString());
        }
        if (out.isEmpty()) {
            throw new BenchException("the peer's command is empty");
        }
        return out;
    }
}
