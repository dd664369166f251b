package poot.core.checkpoint;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import poot.api.graph.Weight;
import poot.api.model.CheckpointException;

/**
 * A GGUF checkpoint: one file, or the files {@code NAME-0000N-of-0000M.gguf} of a split one. The metadata is that of
 * the first file; {@code split.no}, {@code split.count} and {@code split.tensors.count} must agree with the names
 * and with what is there.
 */
final class GgufSet {
    private static final Pattern SHARD = Pattern.compile("(.*)-([0-9]{5})-of-([0-9]{5})\\.gguf");

    /**
     * What a file's name says about its place in a set.
     *
     * @param stem  the name before the numbers
     * @param no    the file's number, from 1
     * @param count files in the set
     */
    record ShardName(String stem, int no, int count) {
        /** The place a name claims, or null if it claims none. */
        static ShardName of(Path file) {
            Matcher m = SHARD.matcher(file.getFileName().toString());
            return m.matches() ? new ShardName(m.group(1), Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3))) : null;
        }

        /** True if both names claim places in one set. */
        boolean isSiblingOf(ShardName other) {
            return other != null && stem.equals(other.stem) && count == other.count;
        }

        Path sibling(Path file, int other) {
            return file.resolveSibling(String.format("%s-%05d-of-%05d.gguf", stem, other, count));
        }
    }

    private record Part(MappedFile mapped, GgufHeader header) {}

    private final Path first;
    private final List<Part> parts;

    private GgufSet(Path first, List<Part> parts) {
        this.first = first;
        this.parts = parts;
    }

    /** Opens the set that a file belongs to and reads every header. */
    static GgufSet open(Path file, Arena arena) throws CheckpointException {
        Part named = part(file, arena);
        Object count = named.header().metadata().get("split.count");
        ShardName shard = ShardName.of(file);
        if (count == null || count.equals(0L) || count.equals(1L)) {
            if (shard != null && shard.count() > 1) {
                throw Faults.malformed(file, Faults.key("split.count"),
                        "the name says one of " + shard.count() + " files, the metadata does not");
            }
            return new GgufSet(file, List.of(named));
        }
        if (shard == null || !count.equals((long) shard.count()) || shard.no() < 1 || shard.no() > shard.count()) {
            throw Faults.malformed(file, Faults.key("split.count"), "is " + count
                    + "; the file must be named NAME-0000N-of-0000M.gguf with M that count and N from 1 to M");
        }
        List<Part> parts = new ArrayList<>();
        for (int no = 1; no <= shard.count(); no++) {
            Path sibling = shard.sibling(file, no);
            Part part = no == shard.no() ? named : part(sibling, arena);
            checkPlace(part, no, shard.count());
            parts.add(part);
        }
        GgufSet set = new GgufSet(shard.sibling(file, 1), List.copyOf(parts));
        set.checkTotal();
        return set;
    }

    private static Part part(Path file, Arena arena) throws CheckpointException {
        MappedFile mapped = MappedFile.map(file, arena);
        return new Part(mapped, GgufHeader.read(mapped));
    }

    private static void checkPlace(Part part, int no, int count) throws CheckpointException {
        Map<String, Object> metadata = part.header().metadata();
        Path file = part.mapped().path();
        if (!Long.valueOf(no - 1).equals(metadata.get("split.no"))) {
            throw Faults.malformed(file, Faults.key("split.no"), "is " + metadata.get("split.no") + "; its name says " + (no - 1));
        }
        if (!Long.valueOf(count).equals(metadata.get("split.count"))) {
            throw Faults.malformed(file, Faults.key("split.count"),
                    "is " + metadata.get("split.count") + "; its name says " + count);
        }
    }

    private void checkTotal() throws CheckpointException {
        long found = parts.stream().mapToLong(p -> p.header().tensors().size()).sum();
        Object claimed = metadata().get("split.tensors.count");
        if (!Long.valueOf(found).equals(claimed)) {
            throw Faults.malformed(first, Faults.key("split.tensors.count"), "is " + claimed + "; the files hold " + found);
        }
    }

    /** The file the metadata comes from. */
    Path first() {
        return first;
    }

    /** The metadata of the first file. */
    Map<String, Object> metadata() {
        return parts.getFirst().header().metadata();
    }

    /** Checks and maps the tensors of every file. */
    NavigableMap<String, Weight> weights(Formats formats) throws CheckpointException {
        NavigableMap<String, Weight> out = new TreeMap<>();
        for (Part part : parts) {
            GgufTensors.map(part.mapped(), part.header(), formats, out);
        }
        if (out.isEmpty()) {
            throw Faults.malformed(first, "tensor table", "the checkpoint holds no tensors");
        }
        return out;
    }
}
