package poot.core.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import poot.api.model.CheckpointException;
import poot.api.model.LoadException;
import tools.jackson.core.json.JsonFactory;

/**
 * Opens checkpoints in a process of its own, whose heap is small, and prints one line for each: the outcome, the
 * milliseconds and the message. An error of any other kind than a typed refusal is printed as a crash.
 */
public final class Probe {
    /** What became of one checkpoint. */
    enum Outcome { OPENED, REFUSED, CRASHED }

    /** One line of output. */
    record Result(Outcome outcome, long millis, String message) {}

    private Probe() {}

    /** Probes the paths listed in a file, or runs the mutations that the arguments describe. */
    public static void main(String[] args) throws IOException {
        if (args[0].equals("paths")) {
            open(Path.of(System.getProperty("warm")));
            for (String line : Files.readAllLines(Path.of(args[1]))) {
                print(open(Path.of(line)));
            }
        } else {
            Mutations.run(args, Probe::print);
        }
    }

    private static void print(Result r) {
        System.out.println(r.outcome() + "\t" + r.millis() + "\t" + r.message().replaceAll("[\\t\\n\\r]", " "));
    }

    /** Opens a checkpoint, asks for its key and its weights, and looks at every weight's description. */
    static Result open(Path path) {
        long start = System.nanoTime();
        Outcome outcome;
        String message = "";
        try (Checkpoint checkpoint = Checkpoint.open(path, new TestFormats())) {
            checkpoint.key();
            var weights = checkpoint.weights();
            for (String name : weights.names()) {
                weights.find(name).orElseThrow().rowCount();
            }
            outcome = Outcome.OPENED;
        } catch (LoadException e) {
            outcome = Outcome.REFUSED;
            message = e.getMessage() + (e instanceof CheckpointException ? "" : " [" + e.fault().getClass().getSimpleName() + "]");
        } catch (RuntimeException | Error e) {
            outcome = Outcome.CRASHED;
            message = e + " at " + (e.getStackTrace().length > 0 ? e.getStackTrace()[0] : "?");
        }
        return new Result(outcome, (System.nanoTime() - start) / 1_000_000, message);
    }

    /** Runs this class in a fresh process of that many MiB of heap and returns its lines. */
    static List<Result> fork(int heapMiB, Path warm, String... args) throws IOException, InterruptedException {
        String classPath = String.join(System.getProperty("path.separator"),
                location(Checkpoint.class), location(Checkpoint.class) + "/../test-classes",
                location(CheckpointException.class), location(JsonFactory.class));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + heapMiB + "m",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dwarm=" + warm, "-Dstdout.encoding=UTF-8", "-cp", classPath, Probe.class.getName()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        if (exit != 0) {
            throw new AssertionError("exit " + exit + ": " + text);
        }
        List<Result> out = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] f = line.split("\t", 3);
            out.add(new Result(Outcome.valueOf(f[0]), Long.parseLong(f[1]), f[2]));
        }
        return out;
    }

    private static String location(Class<?> type) {
        return Path.of(java.net.URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString())).toString();
    }
}
