package poot.core.engine;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import poot.api.model.ChatException;
import poot.api.model.TextCodec;

/** Token ids are bytes: a character of several is whole with its last. */
final class FakeCodec implements TextCodec {
    @Override
    public int vocabularySize() {
        return 256;
    }

    @Override
    public int[] encode(String text, boolean special) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] ids = new int[bytes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = bytes[i] & 0xff;
        }
        return ids;
    }

    @Override
    public int[] encodeRendered(String text) {
        return encode(text, false);
    }

    @Override
    public Pair encodePair(String first, String second) {
        throw new AssertionError("no pairs here");
    }

    @Override
    public String decode(int[] ids, boolean skipSpecial) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int id : ids) {
            bytes.write(id);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] bytes(int id) {
        return new byte[] {(byte) id};
    }

    @Override
    public Stream stream(boolean skipSpecial) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
        ByteBuffer in = ByteBuffer.allocate(8);
        return new Stream() {
            @Override
            public String next(int id) {
                in.put((byte) id);
                return decode(false);
            }

            @Override
            public String finish() {
                return decode(true);
            }

            private String decode(boolean end) {
                CharBuffer out = CharBuffer.allocate(16);
                in.flip();
                decoder.decode(in, out, end);
                in.compact();
                return out.flip().toString();
            }
        };
    }

    @Override
    public OptionalInt id(String token) {
        return OptionalInt.empty();
    }

    @Override
    public boolean hasChatTemplate() {
        return false;
    }

    @Override
    public String render(Map<String, Object> context) throws ChatException {
        throw new AssertionError("no template here");
    }
}
