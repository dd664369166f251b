package poot.core.checkpoint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.model.CheckpointException;

/**
 * The header of one GGUF file: what lies before the tensor data. Source: GGUF specification, versions 2 and 3,
 * little-endian.
 *
 * @param metadata  the values by their dotted keys, as {@code RawConfig} wants them
 * @param tensors   the tensor table, in the file's order
 * @param dataStart where the tensor data begins, in bytes from the start of the file
 * @param alignment what tensor offsets are multiples of, in bytes
 */
record GgufHeader(Map<String, Object> metadata, List<Tensor> tensors, long dataStart, long alignment) {
    /** GGML keeps names in 64 bytes with their terminator. */
    private static final int MAX_TENSOR_NAME = 63;
    private static final int MAX_KEY = 65_535;
    private static final int MAX_TEXT = 16 << 20;
    /** Bytes of metadata that are copied to the heap at most. */
    private static final long MAX_METADATA = 512L << 20;
    private static final int MAX_ALIGNMENT = 1 << 16;
    private static final int MIN_PAIR = 8 + 1 + 4 + 1;
    private static final int MIN_TENSOR = 8 + 1 + 4 + 8 + 4 + 8;

    /**
     * One row of the tensor table, not yet checked against the data.
     *
     * @param name   its name
     * @param dims   1 to 4 extents, innermost first, each at least 1
     * @param type   the number of its GGML type
     * @param offset where it starts in the data, in bytes
     */
    record Tensor(String name, long[] dims, int type, long offset) {}

    /** Reads a header; touches no tensor data. */
    static GgufHeader read(MappedFile mapped) throws CheckpointException {
        mapped.refusePointer();
        return new Reader(mapped.path(), new GgufCursor(mapped.path(), mapped.bytes())).header();
    }

    private record Reader(Path file, GgufCursor in) {
        GgufHeader header() throws CheckpointException {
            byte[] magic = in.bytes(4, "magic");
            if (magic[0] != 'G' || magic[1] != 'G' || magic[2] != 'U' || magic[3] != 'F') {
                throw Faults.malformed(file, "magic", "not a GGUF file: it does not start with \"GGUF\"");
            }
            int version = in.i32("version");
            if (version != 2 && version != 3) {
                String what = "GGUF version " + Integer.toUnsignedString(version);
                int swapped = Integer.reverseBytes(version);
                throw Faults.unsupported(file, "version", swapped >= 1 && swapped <= 3 ? what + " (big-endian)" : what);
            }
            long tensorCount = in.count("tensor count", "tensors", MIN_TENSOR);
            long pairCount = in.count("metadata count", "pairs", MIN_PAIR);
            Map<String, Object> metadata = metadata(pairCount);
            long alignment = alignment(metadata);
            List<Tensor> tensors = tensors(tensorCount);
            long end = in.position();
            return new GgufHeader(metadata, tensors, end + Math.floorMod(-end, alignment), alignment);
        }

        private Map<String, Object> metadata(long count) throws CheckpointException {
            Map<String, Object> out = new LinkedHashMap<>();
            for (long i = 0; i < count; i++) {
                String key = in.text("key of metadata pair " + i, MAX_KEY);
                String where = Faults.key(key);
                if (key.isEmpty() || key.indexOf('\0') >= 0) {
                    throw Faults.malformed(file, "metadata pair " + i, "a key is not empty and has no NUL");
                }
                Object value = value(where, type(where, in.i32(where)));
                if (out.put(key, value) != null) {
                    throw Faults.malformed(file, where, "given twice");
                }
                if (in.position() > MAX_METADATA) {
                    throw Faults.malformed(file, where, "more than " + MAX_METADATA + " bytes of metadata");
                }
            }
            return Collections.unmodifiableMap(out);
        }

        private GgufType type(String where, int number) throws CheckpointException {
            return GgufType.of(number).orElseThrow(() ->
                    Faults.malformed(file, where, "unknown value type " + Integer.toUnsignedString(number)));
        }

        private Object value(String where, GgufType type) throws CheckpointException {
            return switch (type) {
                case UINT8 -> (long) (in.i8(where) & 0xFF);
                case INT8 -> (long) in.i8(where);
                case UINT16 -> (long) (in.i16(where) & 0xFFFF);
                case INT16 -> (long) in.i16(where);
                case UINT32 -> in.i32(where) & 0xFFFF_FFFFL;
                case INT32 -> (long) in.i32(where);
                case FLOAT32 -> (double) Float.intBitsToFloat(in.i32(where));
                case BOOL -> truth(where, in.i8(where));
                case STRING -> in.text(where, MAX_TEXT);
                case ARRAY -> array(where);
                case UINT64 -> GgufArray.unsigned(in.i64(where));
                case INT64 -> in.i64(where);
                case FLOAT64 -> Double.longBitsToDouble(in.i64(where));
            };
        }

        private boolean truth(String where, byte stored) throws CheckpointException {
            if (stored != 0 && stored != 1) {
                throw Faults.malformed(file, where, "a truth value is stored as " + stored + "; expected 0 or 1");
            }
            return stored == 1;
        }

        private List<?> array(String where) throws CheckpointException {
            GgufType type = type(where, in.i32(where));
            if (type == GgufType.ARRAY) {
                throw Faults.unsupported(file, where, "an array of arrays");
            }
            long count = in.count(where, "array elements", type == GgufType.STRING ? 8 : type.bytes());
            long bytes = type == GgufType.STRING ? 8 * count : type.bytes() * count;
            if (bytes > MAX_METADATA) {
                throw Faults.malformed(file, where, "an array of " + count + " elements, " + bytes
                        + " bytes; at most " + MAX_METADATA + " are read");
            }
            if (type == GgufType.STRING) {
                List<String> out = new ArrayList<>((int) Math.min(count, 1 << 16));
                for (long i = 0; i < count; i++) {
                    out.add(in.text(where, MAX_TEXT));
                }
                return Collections.unmodifiableList(out);
            }
            byte[] raw = in.bytes((int) bytes, where);
            if (type == GgufType.BOOL) {
                for (byte b : raw) {
                    truth(where, b);
                }
            }
            return new GgufArray(type, raw);
        }

        private long alignment(Map<String, Object> metadata) throws CheckpointException {
            Object value = metadata.getOrDefault("general.alignment", 32L);
            if (value instanceof Long n && n >= 1 && n <= MAX_ALIGNMENT && Long.bitCount(n) == 1) {
                return n;
            }
            throw Faults.malformed(file, Faults.key("general.alignment"),
                    "is " + (value instanceof String s ? '"' + s + '"' : value) + "; expected a power of two up to " + MAX_ALIGNMENT);
        }

        private List<Tensor> tensors(long count) throws CheckpointException {
            List<Tensor> out = new ArrayList<>();
            Set<String> names = new HashSet<>();
            for (long i = 0; i < count; i++) {
                String name = in.text("name of tensor " + i, MAX_TENSOR_NAME);
                String where = Faults.tensor(name);
                if (name.isEmpty() || name.indexOf('\0') >= 0) {
                    throw Faults.malformed(file, "name of tensor " + i, "a name is not empty and has no NUL");
                }
                if (!names.add(name)) {
                    throw Faults.malformed(file, where, "named twice");
                }
                out.add(new Tensor(name, dims(where), in.i32(where), in.i64(where)));
            }
            return Collections.unmodifiableList(out);
        }

        private long[] dims(String where) throws CheckpointException {
            int rank = in.i32(where);
            if (rank < 1 || rank > 4) {
                throw Faults.malformed(file, where, Integer.toUnsignedString(rank) + " dimensions; expected 1 to 4");
            }
            long[] dims = new long[rank];
            for (int d = 0; d < rank; d++) {
                dims[d] = in.i64(where);
                if (dims[d] < 1 || dims[d] > Integer.MAX_VALUE) {
                    throw Faults.malformed(file, where, "dimension " + d + " is " + Long.toUnsignedString(dims[d])
                            + "; expected 1 to " + Integer.MAX_VALUE);
                }
            }
            return dims;
        }
    }
}
