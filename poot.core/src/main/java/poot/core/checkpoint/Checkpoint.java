package poot.core.checkpoint;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import poot.api.graph.Weight;
import poot.api.model.CheckpointException;
import poot.api.model.ConfigException;
import poot.api.model.ConfigSource;
import poot.api.model.FamilyKey;
import poot.api.model.RawConfig;
import poot.api.model.Registry;
import poot.api.model.WeightStore;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/**
 * A checkpoint on disk: a Hugging Face directory, or a GGUF file or set.
 *
 * <p>Opening reads the configuration alone, so that {@link #key} can select a family before any weight is looked at;
 * {@link #weights} then reads the headers of the weight files and maps the tensors. Neither touches tensor data.
 * The checkpoint owns one shared arena, which every mapped byte belongs to and which {@link #close} closes. Safe for
 * use by several threads, except {@link #config}, whose reads are remembered.
 */
public final class Checkpoint implements AutoCloseable {
    /** What is on disk: a directory, or a GGUF set whose headers are read. */
    private sealed interface Content {
        record HuggingFace(Path directory) implements Content {}

        record Gguf(GgufSet set) implements Content {}
    }

    private final Path path;
    private final Content content;
    private final RawConfig config;
    private final Map<String, Object> values;
    private final Formats formats;
    private final Arena arena;
    private WeightStore weights;

    private Checkpoint(Path path, Content content, RawConfig config, Map<String, Object> values, Formats formats, Arena arena) {
        this.path = path;
        this.content = content;
        this.values = values;
        this.config = config;
        this.formats = formats;
        this.arena = arena;
    }

    /**
     * Opens a checkpoint and reads its configuration.
     *
     * @param path    a directory with {@code config.json} and safetensors, a GGUF file, any file of a split GGUF, or a
     *                directory that holds one GGUF file or one split set and no safetensors
     * @param formats where decode definitions come from
     * @throws CheckpointException if a file is absent, unreadable or malformed
     */
    public static Checkpoint open(Path path, Formats formats) throws CheckpointException {
        if (!Files.exists(path)) {
            throw Faults.absent(path, "expected a Hugging Face directory or a GGUF file");
        }
        Arena arena = Arena.ofShared();
        boolean opened = false;
        try {
            Path gguf = Files.isDirectory(path) ? ggufIn(path) : path;
            Checkpoint out = gguf == null ? huggingFace(path, formats, arena) : gguf(path, gguf, formats, arena);
            opened = true;
            return out;
        } finally {
            if (!opened) {
                arena.close();
            }
        }
    }

    private static Checkpoint huggingFace(Path directory, Formats formats, Arena arena) throws CheckpointException {
        Path file = directory.resolve("config.json");
        if (!Files.exists(file)) {
            throw Faults.absent(file, "a Hugging Face directory has one; a directory without it must hold one GGUF file");
        }
        Map<String, Object> values = Json.tree(file, JsonLimits.CONFIG);
        Content content = new Content.HuggingFace(directory);
        RawConfig config = RawConfig.of(ConfigSource.HF, file, values, SideFiles.in(directory).companions());
        return new Checkpoint(directory, content, config, values, formats, arena);
    }

    private static Checkpoint gguf(Path path, Path file, Formats formats, Arena arena) throws CheckpointException {
        if (file.getFileName().toString().endsWith(".safetensors")) {
            throw Faults.unsupported(file, "path", "a safetensors file without its directory");
        }
        GgufSet set = GgufSet.open(file, arena);
        RawConfig config = RawConfig.of(ConfigSource.GGUF, set.first(), set.metadata());
        return new Checkpoint(path, new Content.Gguf(set), config, set.metadata(), formats, arena);
    }

    /** The one GGUF file of a directory, or any file of its one split set; null if it holds none, or safetensors. */
    private static Path ggufIn(Path directory) throws CheckpointException {
        if (SafetensorsSet.isIn(directory)) {
            return null;
        }
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.gguf")) {
            for (Path file : files) {
                GgufSet.ShardName shard = GgufSet.ShardName.of(file);
                boolean sameSet = shard != null && !found.isEmpty()
                        && shard.isSiblingOf(GgufSet.ShardName.of(found.getFirst()));
                if (!found.isEmpty() && !sameSet) {
                    throw Faults.malformed(directory, "content", "several GGUF checkpoints ("
                            + found.getFirst().getFileName() + ", " + file.getFileName() + "); name one of them");
                }
                found.add(file);
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw Faults.unreadable(directory, e);
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    /** The path it was opened by. */
    public Path path() {
        return path;
    }

    /** Which kind it is. */
    public ConfigSource source() {
        return config.source();
    }

    /** {@code config.json}, or the metadata of the first GGUF file. */
    public RawConfig config() {
        return config;
    }

    /** What selects the family: {@code model_type}, or {@code general.architecture}. */
    public FamilyKey key() throws ConfigException {
        return Registry.keyOf(config);
    }

    /** The files beside the weights; none for GGUF. */
    public SideFiles files() {
        return switch (content) {
            case Content.HuggingFace hf -> SideFiles.in(hf.directory());
            case Content.Gguf g -> SideFiles.none();
        };
    }

    /**
     * The tensors, read on the first call; the same store on every call. Closing the store closes the checkpoint.
     *
     * @throws CheckpointException if a weight file is malformed, or a tensor is stored in a way poot has no format for
     */
    public synchronized WeightStore weights() throws CheckpointException {
        if (weights == null) {
            weights = new MappedWeights(read(), this::close);
        }
        return weights;
    }

    private NavigableMap<String, Weight> read() throws CheckpointException {
        return switch (content) {
            case Content.Gguf g -> g.set().weights(formats);
            case Content.HuggingFace hf -> {
                config.raw("quantization_config");
                config.raw("compression_config");
                Quantization quantization = QuantizationReader.read(config.file(), values);
                yield PackedLinears.of(SafetensorsSet.read(hf.directory(), arena), quantization, formats);
            }
        };
    }

    /**
     * Unmaps everything; a second call does nothing.
     *
     * @throws IllegalStateException if another thread is reading a tensor at this moment
     */
    @Override
    public synchronized void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
