package poot.golden;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import poot.api.graph.Shape;
import poot.oracle.Tensor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tensors of one trusted safetensors file, read apart from the reader under test. */
public final class Safetensors {
    /** One tensor as stored; {@code bytes} are little-endian. */
    public record Entry(String dtype, Shape shape, byte[] bytes) {
        /** The elements of an F32 tensor. */
        public float[] floats() {
            if (!dtype.equals("F32")) {
                throw new IllegalStateException("dtype " + dtype);
            }
            float[] out = new float[bytes.length / 4];
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(out);
            return out;
        }
    }

    private final Path file;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private Safetensors(Path file) {
        this.file = file;
    }

    /** Reads a whole file. */
    public static Safetensors read(Path file) throws IOException {
        Safetensors out = new Safetensors(file);
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int header = Math.toIntExact(all.getLong());
        JsonNode root = JsonMapper.shared().readTree(new String(all.array(), 8, header, StandardCharsets.UTF_8));
        root.forEachEntry((name, t) -> {
            if (!name.equals("__metadata__")) {
                int[] dims = new int[t.get("shape").size()];
                for (int i = 0; i < dims.length; i++) {
                    dims[i] = t.get("shape").get(i).asInt();
                }
                int from = t.get("data_offsets").get(0).asInt();
                byte[] bytes = new byte[t.get("data_offsets").get(1).asInt() - from];
                all.get(8 + header + from, bytes);
                out.entries.put(name, new Entry(t.get("dtype").asString(), Shape.of(dims), bytes));
            }
        });
        return out;
    }

    /** Whether the file has that tensor. */
    public boolean has(String name) {
        return entries.containsKey(name);
    }

    /** The tensor of that name. */
    public Entry entry(String name) {
        Entry e = entries.get(name);
        if (e == null) {
            throw new IllegalStateException("no tensor " + name + " in " + file + ": " + entries.keySet());
        }
        return e;
    }

    /** The F32 tensor of that name. */
    public Tensor tensor(String name) {
        return Tensor.f32(entry(name).shape(), entry(name).floats());
    }
}
