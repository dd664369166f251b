package poot.core.quant;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tensors of one golden safetensors file, as trusted test data: mapped, by name. */
public final class GoldenTensors {
    private final MemorySegment data;
    private final JsonNode header;

    private GoldenTensors(MemorySegment data, JsonNode header) {
        this.data = data;
        this.header = header;
    }

    /** Where the golden files of the packed formats lie, present or not. */
    public static Path folder() {
        return Path.of(System.getProperty("poot.shared", "../../shared"), "golden", "quant");
    }

    /** The tensors of {@code name}.safetensors. */
    public static GoldenTensors open(String name) {
        Path file = folder().resolve(name + ".safetensors");
        try (FileChannel channel = FileChannel.open(file)) {
            MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, Files.size(file), Arena.ofAuto());
            long length = all.get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 0);
            byte[] json = all.asSlice(8, length).toArray(ValueLayout.JAVA_BYTE);
            return new GoldenTensors(
                    all.asSlice(8 + length), JsonMapper.shared().readTree(new String(json, StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException("golden file " + file, e);
        }
    }

    /** The bytes of a tensor. */
    public MemorySegment bytes(String tensor) {
        JsonNode offsets = header.required(tensor).required("data_offsets");
        long from = offsets.get(0).asLong();
        return data.asSlice(from, offsets.get(1).asLong() - from);
    }

    /** A tensor of F32. */
    public float[] floats(String tensor) {
        return bytes(tensor).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN));
    }
}
