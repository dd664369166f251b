package poot.core.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;

/**
 * Writes a GGUF file, version 3. Tensors are announced first and streamed when the file is written; the file appears
 * under its name only when it is whole. Tensor data is aligned to 32 bytes.
 */
public final class GgufWriter {
    private static final int ALIGNMENT = 32;

    private record Tensor(String name, int type, Shape shape, long bytes, TensorBody body) {}

    private final Map<String, byte[]> metadata = new LinkedHashMap<>();
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();

    /** A writer of a file without contents. */
    public GgufWriter() {}

    /** Adds an unsigned 16-bit integer. */
    public GgufWriter u16(String key, int value) {
        return put(key, GgufType.UINT16, new Bytes().i16(value));
    }

    /** Adds an unsigned 32-bit integer. */
    public GgufWriter u32(String key, long value) {
        return put(key, GgufType.UINT32, new Bytes().i32((int) value));
    }

    /** Adds a signed 32-bit integer. */
    public GgufWriter i32(String key, int value) {
        return put(key, GgufType.INT32, new Bytes().i32(value));
    }

    /** Adds an unsigned 64-bit integer. */
    public GgufWriter u64(String key, long value) {
        return put(key, GgufType.UINT64, new Bytes().i64(value));
    }

    /** Adds a 32-bit float. */
    public GgufWriter f32(String key, float value) {
        return put(key, GgufType.FLOAT32, new Bytes().i32(Float.floatToRawIntBits(value)));
    }

    /** Adds a truth value. */
    public GgufWriter flag(String key, boolean value) {
        return put(key, GgufType.BOOL, new Bytes().i8(value ? 1 : 0));
    }

    /** Adds a string. */
    public GgufWriter text(String key, String value) {
        return put(key, GgufType.STRING, new Bytes().text(value));
    }

    /** Adds an array of strings. */
    public GgufWriter texts(String key, List<String> values) {
        Bytes out = new Bytes().i32(GgufType.STRING.ordinal()).i64(values.size());
        values.forEach(out::text);
        return put(key, GgufType.ARRAY, out);
    }

    /** Adds an array of signed 32-bit integers. */
    public GgufWriter integers(String key, int... values) {
        Bytes out = new Bytes().i32(GgufType.INT32.ordinal()).i64(values.length);
        for (int v : values) {
            out.i32(v);
        }
        return put(key, GgufType.ARRAY, out);
    }

    /** Adds an array of 32-bit floats. */
    public GgufWriter floats(String key, float... values) {
        Bytes out = new Bytes().i32(GgufType.FLOAT32.ordinal()).i64(values.length);
        for (float v : values) {
            out.i32(Float.floatToRawIntBits(v));
        }
        return put(key, GgufType.ARRAY, out);
    }

    /**
     * Adds a value as a reader gives it: a {@code Long}, {@code Double}, {@code Boolean}, {@code String}, or a list of
     * texts or of what an array held. Numbers take the narrowest of the types that writers commonly use: unsigned, then
     * signed 32-bit, then signed 64-bit integers; 32-bit floats where that is exact.
     *
     * @throws IllegalArgumentException if the value is none of these
     */
    public GgufWriter value(String key, Object value) {
        return switch (value) {
            case Long n when n >= 0 && n <= 0xFFFF_FFFFL -> u32(key, n);
            case Long n when n == n.intValue() -> i32(key, n.intValue());
            case Long n -> put(key, GgufType.INT64, new Bytes().i64(n));
            case Double x when Double.isNaN(x) || x.floatValue() == x -> f32(key, x.floatValue());
            case Double x -> put(key, GgufType.FLOAT64, new Bytes().i64(Double.doubleToRawLongBits(x)));
            case Boolean b -> flag(key, b);
            case String s -> text(key, s);
            case GgufArray a -> put(key, GgufType.ARRAY, new Bytes().i32(a.type().ordinal()).i64(a.size()).raw(a.bytes()));
            case List<?> l when l.stream().allMatch(String.class::isInstance) ->
                texts(key, l.stream().map(String.class::cast).toList());
            default -> throw new IllegalArgumentException("key \"" + key + "\": GGUF metadata does not hold a "
                    + value.getClass().getSimpleName() + " as a reader gives it");
        };
    }

    /**
     * Announces a tensor.
     *
     * @param shape its extents, outermost first, 1 to 4 of them
     * @throws IllegalArgumentException if the name is taken, the rank does not fit, rows are not whole blocks, or GGUF
     *                                  does not store the encoding
     */
    public GgufWriter tensor(String name, Encoding encoding, Shape shape, TensorBody body) {
        int type = GgmlTypes.id(encoding)
                .orElseThrow(() -> new IllegalArgumentException("GGUF does not store " + encoding));
        if (shape.rank() < 1 || shape.rank() > 4 || shape.dim(-1) % encoding.blockElements() != 0) {
            throw new IllegalArgumentException("tensor \"" + name + "\" " + shape + " does not fit " + encoding);
        }
        long bytes = shape.count() / encoding.blockElements() * encoding.blockBytes();
        if (tensors.putIfAbsent(name, new Tensor(name, type, shape, bytes, body)) != null) {
            throw new IllegalArgumentException("tensor \"" + name + "\" is announced twice");
        }
        return this;
    }

    /** Writes the file, replacing one of that name. */
    public void write(Path file) throws IOException {
        List<Tensor> order = List.copyOf(tensors.values());
        byte[] header = header(order);
        AtomicFile.write(file, raw -> {
            CountedOutput out = new CountedOutput(raw);
            out.write(header);
            out.pad(ALIGNMENT);
            for (Tensor t : order) {
                out.body(t.name(), t.bytes(), t.body());
                out.pad(ALIGNMENT);
            }
            out.flush();
        });
    }

    private byte[] header(List<Tensor> order) {
        Bytes out = new Bytes().i8('G').i8('G').i8('U').i8('F').i32(3).i64(order.size()).i64(metadata.size());
        metadata.forEach((key, value) -> out.text(key).raw(value));
        long offset = 0;
        for (Tensor t : order) {
            out.text(t.name()).i32(t.shape().rank());
            for (int axis = t.shape().rank() - 1; axis >= 0; axis--) {
                out.i64(t.shape().dim(axis));
            }
            out.i32(t.type()).i64(offset);
            offset += Math.ceilDiv(t.bytes(), ALIGNMENT) * (long) ALIGNMENT;
        }
        return out.toByteArray();
    }

    private GgufWriter put(String key, GgufType type, Bytes value) {
        if (metadata.putIfAbsent(key, new Bytes().i32(type.ordinal()).raw(value.toByteArray()).toByteArray()) != null) {
            throw new IllegalArgumentException("key \"" + key + "\" is given twice");
        }
        return this;
    }

    /** Little-endian bytes under construction. */
    private static final class Bytes {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Bytes i8(int v) {
            out.write(v);
            return this;
        }

        Bytes i16(int v) {
            return raw(buffer(2).putShort((short) v).array());
        }

        Bytes i32(int v) {
            return raw(buffer(4).putInt(v).array());
        }

        Bytes i64(long v) {
            return raw(buffer(8).putLong(v).array());
        }

        Bytes text(String s) {
            byte[] utf8 = s.getBytes(StandardCharsets.UTF_8);
            return i64(utf8.length).raw(utf8);
        }

        Bytes raw(byte[] bytes) {
            out.writeBytes(bytes);
            return this;
        }

        byte[] toByteArray() {
            return out.toByteArray();
        }

        private static ByteBuffer buffer(int bytes) {
            return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
    }
}
