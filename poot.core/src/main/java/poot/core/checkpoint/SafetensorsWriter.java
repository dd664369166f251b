package poot.core.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.graph.Shape;
import poot.core.json.Json;

/**
 * Writes a safetensors file. Tensors are announced first and streamed when the file is written, so that a file may
 * be larger than memory; it appears under its name only when it is whole.
 */
public final class SafetensorsWriter {
    private record Tensor(String name, Dtype dtype, Shape shape, long bytes, TensorBody body) {}

    private final Map<String, String> metadata = new LinkedHashMap<>();
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();

    /** A writer of a file without contents. */
    public SafetensorsWriter() {}

    /** Adds a pair to {@code __metadata__}. */
    public SafetensorsWriter metadata(String key, String value) {
        metadata.put(key, value);
        return this;
    }

    /** Announces a tensor of F32. */
    public SafetensorsWriter floats(String name, Shape shape, float[] values) {
        return tensor(name, "F32", shape, TensorBody.floats(values));
    }

    /**
     * Announces a tensor.
     *
     * @param dtype the format's name of its element type, such as {@code BF16} or {@code F8_E4M3}
     * @throws IllegalArgumentException if the name is taken or the element type is unknown
     */
    public SafetensorsWriter tensor(String name, String dtype, Shape shape, TensorBody body) {
        Dtype type = Dtype.named(dtype).orElseThrow(() -> new IllegalArgumentException("unknown dtype " + dtype));
        long bytes = Math.multiplyExact(shape.count(), type.bits()) / 8;
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
            out.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(header.length).array());
            out.write(header);
            for (Tensor t : order) {
                out.body(t.name(), t.bytes(), t.body());
            }
            out.flush();
        });
    }

    /** The header, padded with spaces so that the data starts at a multiple of 8. */
    private byte[] header(List<Tensor> order) {
        Map<String, Object> root = new LinkedHashMap<>();
        if (!metadata.isEmpty()) {
            root.put("__metadata__", metadata);
        }
        long at = 0;
        for (Tensor t : order) {
            List<Object> dims = new ArrayList<>();
            Arrays.stream(t.shape().dims()).forEach(dims::add);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("dtype", t.dtype().name());
            entry.put("shape", dims);
            entry.put("data_offsets", List.of(at, at + t.bytes()));
            root.put(t.name(), entry);
            at += t.bytes();
        }
        byte[] text = Json.text(root).getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(text, Math.ceilDiv(text.length, 8) * 8);
        Arrays.fill(padded, text.length, padded.length, (byte) ' ');
        return padded;
    }
}
