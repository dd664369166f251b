package poot.core.text.tokenizer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.model.ConfigSource;
import poot.api.model.RawConfig;

/** Just enough of GGUF to hand a well-formed file's metadata to the tests. */
final class GgufMetadata {
    private final ByteBuffer in;

    private GgufMetadata(byte[] bytes) {
        in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static RawConfig read(Path file) throws IOException {
        GgufMetadata reader = new GgufMetadata(Files.readAllBytes(file));
        reader.in.position(16);
        long count = reader.in.getLong();
        Map<String, Object> values = new LinkedHashMap<>();
        for (long i = 0; i < count; i++) {
            String key = reader.text();
            values.put(key, reader.value(reader.in.getInt()));
        }
        return RawConfig.of(ConfigSource.GGUF, file, values);
    }

    private String text() {
        byte[] bytes = new byte[Math.toIntExact(in.getLong())];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private Object value(int type) {
        return switch (type) {
            case 0 -> (long) (in.get() & 0xFF);
            case 1 -> (long) in.get();
            case 2 -> (long) (in.getShort() & 0xFFFF);
            case 3 -> (long) in.getShort();
            case 4 -> in.getInt() & 0xFFFFFFFFL;
            case 5 -> (long) in.getInt();
            case 6 -> (double) in.getFloat();
            case 7 -> in.get() != 0;
            case 8 -> text();
            case 9 -> {
                int element = in.getInt();
                int n = Math.toIntExact(in.getLong());
                List<Object> list = new ArrayList<>(n);
                for (int i = 0; i < n; i++) {
                    list.add(value(element));
                }
                yield list;
            }
            case 10, 11 -> in.getLong();
            case 12 -> in.getDouble();
            default -> throw new IllegalArgumentException("GGUF value type " + type);
        };
    }
}
