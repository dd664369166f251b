package poot.core.checkpoint;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/**
 * The tensors of a Hugging Face directory: those of {@code model.safetensors}, or of the shards that
 * {@code model.safetensors.index.json} names. A shard is a plain file name inside the directory; every tensor that
 * the index places in a shard must be there, and no name may occur in two shards.
 */
final class SafetensorsSet {
    private static final String SINGLE = "model.safetensors";
    private static final String INDEX = "model.safetensors.index.json";

    private SafetensorsSet() {}

    /** True if a directory holds weights this class reads. */
    static boolean isIn(Path directory) {
        return Files.exists(directory.resolve(SINGLE)) || Files.exists(directory.resolve(INDEX));
    }

    /** The tensors by name, mapped into the arena. */
    static Map<String, StoredTensor> read(Path directory, Arena arena) throws CheckpointException {
        Map<String, StoredTensor> out = new TreeMap<>();
        Path single = directory.resolve(SINGLE);
        Path index = directory.resolve(INDEX);
        if (Files.exists(single)) {
            add(single, arena, out);
        } else if (Files.exists(index)) {
            sharded(directory, index, arena, out);
        } else {
            throw Faults.absent(single, "the weights must be there, or in the shards of " + INDEX + others(directory));
        }
        if (out.isEmpty()) {
            throw Faults.malformed(Files.exists(single) ? single : index, "tensors", "the checkpoint holds none");
        }
        return out;
    }

    private static void sharded(Path directory, Path index, Arena arena, Map<String, StoredTensor> out)
            throws CheckpointException {
        Object map = Json.tree(index, JsonLimits.INDEX).get("weight_map");
        if (!(map instanceof Map<?, ?> weightMap)) {
            throw Faults.malformed(index, Faults.key("weight_map"), "missing or not an object");
        }
        Map<String, Path> shards = new TreeMap<>();
        for (Map.Entry<?, ?> e : weightMap.entrySet()) {
            if (!(e.getValue() instanceof String shard)) {
                throw Faults.malformed(index, Faults.tensor((String) e.getKey()), "its shard is not a string");
            }
            if (!shards.containsKey(shard)) {
                shards.put(shard, shard(directory, index, (String) e.getKey(), shard));
            }
        }
        for (Path shard : shards.values()) {
            add(shard, arena, out);
        }
        for (Map.Entry<?, ?> e : weightMap.entrySet()) {
            StoredTensor t = out.get(e.getKey());
            if (t == null || !t.file().equals(shards.get(e.getValue()))) {
                throw Faults.malformed(index, Faults.tensor((String) e.getKey()), "not in " + e.getValue());
            }
        }
    }

    private static Path shard(Path directory, Path index, String tensor, String name) throws CheckpointException {
        boolean plain = name.endsWith(".safetensors") && name.length() <= 255 && name.charAt(0) != '.'
                && name.chars().noneMatch(c -> c == '/' || c == '\\' || c == ':' || Character.isISOControl(c));
        if (!plain) {
            throw Faults.malformed(index, Faults.tensor(tensor),
                    "its shard must be the plain name of a .safetensors file in the same directory");
        }
        try {
            Path shard = directory.resolve(name);
            if (!Files.exists(shard)) {
                throw Faults.absent(shard, INDEX + " places " + Faults.tensor(tensor) + " there");
            }
            return shard;
        } catch (InvalidPathException e) {
            throw Faults.unreadable(index, e);
        }
    }

    private static void add(Path file, Arena arena, Map<String, StoredTensor> out) throws CheckpointException {
        for (StoredTensor t : SafetensorsReader.read(file, arena)) {
            if (out.putIfAbsent(t.name(), t) != null) {
                throw Faults.malformed(file, Faults.tensor(t.name()), "another shard holds it too");
            }
        }
    }

    private static String others(Path directory) throws CheckpointException {
        try (DirectoryStream<Path> bins = Files.newDirectoryStream(directory, "*.{bin,pt,pth,h5,onnx}")) {
            for (Path bin : bins) {
                return "; " + bin.getFileName() + " is not read: convert it to safetensors";
            }
            return "";
        } catch (IOException | DirectoryIteratorException e) {
            throw Faults.unreadable(directory, e);
        }
    }
}
