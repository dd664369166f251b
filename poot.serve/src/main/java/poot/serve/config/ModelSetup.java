package poot.serve.config;

import java.util.Locale;
import java.util.Optional;
import poot.api.driver.DriverOptions.Blocks;
import poot.api.executor.Residency;
import poot.api.model.KvForm;

/**
 * How a model is prepared for serving.
 *
 * @param backend its name; empty for the best
 * @param threads of the CPU, 0 for one per core; a device refuses any other number
 * @param weights where a CPU reads them; a device copies them and refuses MAPPED
 * @param context positions of a row at most
 * @param kv      how keys and values are cached
 * @param cache   how the cache is laid out
 * @param running requests running at once
 * @param waiting requests waiting at most
 * @param step    tokens of a step at most
 * @param shared  prompt tokens of a step beside running streams at most
 */
public record ModelSetup(Optional<String> backend, int threads, Residency weights, int context, KvForm kv, Cache cache, int running,
        int waiting, int step, int shared) {
    /** How keys and values are laid out. */
    public sealed interface Cache {
        /** A pool that holds every row full; with {@code reuse}, prompts that begin alike share blocks. */
        record Full(boolean reuse) implements Cache {}

        /** As said. */
        record Laid(Blocks blocks) implements Cache {}
    }

    /** Eight rows of 4096 positions out of a pool that holds them full, a prefix cache, 256 waiting, the best backend. */
    public static final ModelSetup DEFAULT =
            new ModelSetup(Optional.empty(), 0, Residency.AUTO, 4096, KvForm.F32, new Cache.Full(true), 8, 256, 512, 128);

    private static final int BLOCK = 16;

    /** The setup the settings come to. */
    public static ModelSetup of(Settings s) throws SettingException {
        return new ModelSetup(s.text("backend"), s.count("threads", 0, 4096), weights(s), s.count("context", 1, 1 << 24), kv(s),
                cache(s), s.count("running", 1, 4096),
                s.count("waiting", 1, 1 << 20), s.count("step-tokens", 8, 1 << 20), s.count("shared-tokens", 8, 1 << 20));
    }

    private static Cache cache(Settings s) throws SettingException {
        boolean reuse = s.flag("prefix-cache");
        return switch (s.text("kv-blocks").orElse("")) {
            case "auto" -> new Cache.Full(reuse);
            case "rows" -> new Cache.Laid(new Blocks.PerRow());
            default -> new Cache.Laid(new Blocks.Pool(s.count("kv-blocks", 1, 1 << 26), BLOCK, reuse));
        };
    }

    /** Blocks that hold so many rows of so many positions. */
    public static Blocks.Pool full(int rows, int positions, boolean reuse) {
        return new Blocks.Pool(Math.toIntExact((long) rows * ((positions + BLOCK - 1) / BLOCK)), BLOCK, reuse);
    }

    private static Residency weights(Settings s) throws SettingException {
        return switch (s.text("weights").orElse("").toLowerCase(Locale.ROOT)) {
            case "auto" -> Residency.AUTO;
            case "mapped" -> Residency.MAPPED;
            case "copied" -> Residency.COPIED;
            default -> throw s.refused("weights", "auto, mapped or copied");
        };
    }

    private static KvForm kv(Settings s) throws SettingException {
        return switch (s.text("kv").orElse("").toLowerCase(Locale.ROOT)) {
            case "f32" -> KvForm.F32;
            case "f16" -> KvForm.F16;
            case "bf16" -> KvForm.BF16;
            case "q8_0" -> KvForm.Q8_0;
            default -> throw s.refused("kv", "f32, f16, bf16 or q8_0");
        };
    }

    /** With rows of that many positions at most. */
    public ModelSetup withContext(int positions) {
        return new ModelSetup(backend, threads, weights, positions, kv, cache, running, waiting, step, shared);
    }

    /** With that many requests running, and that many waiting. */
    public ModelSetup withRequests(int atOnce, int queued) {
        return new ModelSetup(backend, threads, weights, context, kv, cache, atOnce, queued, step, shared);
    }

    /** With that many threads. */
    public ModelSetup withThreads(int n) {
        return new ModelSetup(backend, n, weights, context, kv, cache, running, waiting, step, shared);
    }
}
