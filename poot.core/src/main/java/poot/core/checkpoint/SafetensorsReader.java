package poot.core.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.graph.Shape;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/**
 * Reads one safetensors file: an 8-byte little-endian header length, a JSON header, then the tensors back to back.
 *
 * <p>The rules are those of the format's own library: every byte after the header belongs to exactly one tensor, the
 * ranges neither overlap nor leave holes, and each range has exactly the bytes its shape and type need. Only the
 * header's pages are touched. Source: the safetensors format description.
 */
final class SafetensorsReader {
    /** The longest header the format allows, in bytes. */
    private static final long MAX_HEADER = 100_000_000;
    /** The most values of one header entry; only {@code __metadata__} has more than a dozen. */
    private static final long MAX_ENTRY = 1 << 16;
    private static final int MAX_RANK = 8;
    private static final int MAX_NAME = 1024;
    private static final ValueLayout.OfLong LENGTH = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** A header entry before its range is mapped; offsets count from the end of the header. */
    private record Entry(String name, Dtype dtype, Shape shape, long begin, long end) {}

    private final Path file;
    private final MappedFile mapped;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private SafetensorsReader(MappedFile mapped) {
        this.mapped = mapped;
        this.file = mapped.path();
    }

    /** The tensors of a file in the header's order, mapped into the arena. */
    static List<StoredTensor> read(Path file, Arena arena) throws CheckpointException {
        MappedFile mapped = MappedFile.map(file, arena);
        mapped.refusePointer();
        return new SafetensorsReader(mapped).read();
    }

    private List<StoredTensor> read() throws CheckpointException {
        long size = mapped.bytes().byteSize();
        if (size < 8) {
            throw Faults.malformed(file, "header length", "the file has " + size + " bytes; the length alone takes 8");
        }
        long header = mapped.bytes().get(LENGTH, 0);
        if (header < 2 || header > Math.min(size - 8, MAX_HEADER)) {
            throw Faults.malformed(file, "header length", Long.toUnsignedString(header) + " bytes; the file has "
                    + (size - 8) + " after it, and a header has from 2 to " + MAX_HEADER);
        }
        JsonLimits limits = new JsonLimits(MAX_HEADER, 4, MAX_HEADER);
        Json.entries(file, mapped.stream(8, header), limits, MAX_ENTRY, this::entry);
        return tensors(8 + header, size - 8 - header);
    }

    private void entry(String name, Object value) throws CheckpointException {
        if (name.equals("__metadata__")) {
            if (!(value instanceof Map<?, ?> m) || !m.values().stream().allMatch(String.class::isInstance)) {
                throw Faults.malformed(file, Faults.key(name), "not an object of strings");
            }
            return;
        }
        String where = Faults.tensor(name);
        if (name.isEmpty() || name.length() > MAX_NAME || name.indexOf('\0') >= 0) {
            throw Faults.malformed(file, where, "a name has 1 to " + MAX_NAME + " characters and no NUL");
        }
        if (!(value instanceof Map<?, ?> fields)) {
            throw Faults.malformed(file, where, "its header entry is not an object");
        }
        for (Object field : fields.keySet()) {
            if (!List.of("dtype", "shape", "data_offsets").contains(field)) {
                throw Faults.malformed(file, where, "unknown field \"" + field + "\" in its header entry");
            }
        }
        long[] range = longs(where, "data_offsets", fields.get("data_offsets"), Long.MAX_VALUE);
        if (range.length != 2 || range[0] > range[1]) {
            throw Faults.malformed(file, where, "data_offsets must be a begin and an end that is not before it");
        }
        Entry entry = new Entry(name, dtype(where, fields.get("dtype")), shape(where, fields.get("shape")), range[0], range[1]);
        checkSize(where, entry);
        if (entries.put(name, entry) != null) {
            throw Faults.malformed(file, where, "named twice in the header");
        }
    }

    private Dtype dtype(String where, Object value) throws CheckpointException {
        if (!(value instanceof String name)) {
            throw Faults.malformed(file, where, "dtype is missing or not a string");
        }
        return Dtype.named(name).orElseThrow(() -> Faults.malformed(file, where, "unknown dtype \"" + name + "\""));
    }

    private Shape shape(String where, Object value) throws CheckpointException {
        long[] dims = longs(where, "shape", value, Integer.MAX_VALUE);
        if (dims.length > MAX_RANK) {
            throw Faults.malformed(file, where, dims.length + " dimensions; at most " + MAX_RANK + " are read");
        }
        return Shapes.checked(file, where, dims);
    }

    private long[] longs(String where, String field, Object value, long max) throws CheckpointException {
        if (!(value instanceof List<?> list)) {
            throw Faults.malformed(file, where, field + " is missing or not a list");
        }
        long[] out = new long[list.size()];
        for (int i = 0; i < out.length; i++) {
            if (!(list.get(i) instanceof Long n) || n < 0 || n > max) {
                throw Faults.malformed(file, where,
                        field + "[" + i + "] is " + list.get(i) + "; expected an integer from 0 to " + max);
            }
            out[i] = n;
        }
        return out;
    }

    private void checkSize(String where, Entry e) throws CheckpointException {
        long count = e.shape().count();
        boolean fits = count <= Long.MAX_VALUE / e.dtype().bits();
        long bits = fits ? count * e.dtype().bits() : 0;
        if (!fits || bits % 8 != 0 || bits / 8 != e.end() - e.begin()) {
            throw Faults.malformed(file, where, "shape " + e.shape() + " of " + e.dtype() + " does not take the "
                    + (e.end() - e.begin()) + " bytes of its data_offsets");
        }
    }

    /** Checks that the ranges tile the data exactly, then maps each. */
    private List<StoredTensor> tensors(long start, long length) throws CheckpointException {
        List<Entry> order = new ArrayList<>(entries.values());
        order.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
        long at = 0;
        for (Entry e : order) {
            if (e.begin() != at) {
                throw Faults.malformed(file, Faults.tensor(e.name()), "starts at byte " + e.begin() + " of the data; "
                        + (e.begin() < at ? "it overlaps another, which ends at " : "there is a hole after ") + at);
            }
            if (e.end() > length) {
                throw Faults.malformed(file, Faults.tensor(e.name()),
                        "ends at byte " + e.end() + " of the data; the file has " + length);
            }
            at = e.end();
        }
        if (at != length) {
            throw Faults.malformed(file, "data", (length - at) + " bytes after the last tensor belong to none");
        }
        List<StoredTensor> out = new ArrayList<>(entries.size());
        for (Entry e : entries.values()) {
            MemorySegment bytes = mapped.bytes().asSlice(start + e.begin(), e.end() - e.begin());
            out.add(new StoredTensor(file, e.name(), e.dtype(), e.shape(), bytes));
        }
        return out;
    }
}
