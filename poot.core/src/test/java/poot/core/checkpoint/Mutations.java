package poot.core.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Seeded mutations of valid files: each is written, opened, and reported if it crashes or is slow. */
final class Mutations {
    private static final long[] WORDS = {0, 1, 2, 7, 255, 4096, 1L << 16, 1L << 31, (1L << 31) - 1, 1L << 32, 1L << 40,
        1L << 61, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE, -1, -8, -32};
    private static final List<String> SNIPPETS = List.of("{", "}", "[", "]", ",", ":", "\"", "null", "-1", "1e999", "NaN",
        "9223372036854775807", "18446744073709551616", "1.5", "{}", "[]", "\"\"", "[[[[[[[[", "\\u0000", "../", "/",
        "\u00e9", "\uD83D\uDE00", "F32", "I32", "F4", "U8");

    private Mutations() {}

    /**
     * Arguments: {@code binary|safetensors|text}, the valid file, where to write the mutant, the checkpoint path to
     * open, the number of mutations, the seed. Prints crashes and slow ones, then one line of totals.
     */
    static void run(String[] args, Consumer<Probe.Result> print) throws IOException {
        byte[] valid = Files.readAllBytes(Path.of(args[1]));
        Path target = Path.of(args[2]);
        Path open = Path.of(args[3]);
        int count = Integer.parseInt(args[4]);
        Random random = new Random(Long.parseLong(args[5]));
        long slowest = 0;
        int refused = 0;
        for (int i = 0; i < count; i++) {
            byte[] mutant = switch (args[0]) {
                case "binary" -> binary(valid, valid.length, random);
                case "safetensors" -> safetensors(valid, random);
                case "text" -> text(valid, random);
                default -> throw new IllegalArgumentException(args[0]);
            };
            Files.write(target, mutant);
            Probe.Result r = Probe.open(open);
            slowest = i < 20 ? slowest : Math.max(slowest, r.millis());
            refused += r.outcome() == Probe.Outcome.REFUSED ? 1 : 0;
            if (r.outcome() == Probe.Outcome.CRASHED) {
                print.accept(new Probe.Result(r.outcome(), r.millis(), "mutation " + i + ": " + r.message()));
            }
        }
        print.accept(new Probe.Result(Probe.Outcome.OPENED, slowest, refused + " of " + count));
    }

    /** Bytes changed in the first {@code span}: flips, words, cuts, repeats, insertions. */
    private static byte[] binary(byte[] valid, int span, Random r) {
        byte[] out = valid.clone();
        for (int n = 1 + r.nextInt(3); n > 0; n--) {
            int at = r.nextInt(Math.max(1, Math.min(out.length, r.nextInt(4) == 0 ? out.length : span)));
            if (out.length < 16) {
                return out;
            }
            switch (r.nextInt(6)) {
                case 0 -> out[at] ^= (byte) (1 << r.nextInt(8));
                case 1 -> out[at] = (byte) r.nextInt(256);
                case 2 -> word(out, at, WORDS[r.nextInt(WORDS.length)], 8);
                case 3 -> word(out, at, WORDS[r.nextInt(WORDS.length)], 4);
                case 4 -> out = r.nextInt(4) == 0 ? Arrays.copyOf(out, at) : splice(out, at, new byte[r.nextInt(40)], 0);
                default -> {
                    int length = Math.min(out.length - at, 1 + r.nextInt(60));
                    byte[] piece = Arrays.copyOfRange(out, at, at + length);
                    out = r.nextBoolean() ? splice(out, at, piece, 0) : splice(out, at, new byte[0], length);
                }
            }
        }
        return out;
    }

    private static void word(byte[] out, int at, long value, int bytes) {
        byte[] raw = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
        System.arraycopy(raw, 0, out, at, Math.min(bytes, out.length - at));
    }

    private static byte[] splice(byte[] in, int at, byte[] piece, int drop) {
        byte[] out = new byte[in.length - drop + piece.length];
        System.arraycopy(in, 0, out, 0, at);
        System.arraycopy(piece, 0, out, at, piece.length);
        System.arraycopy(in, at + drop, out, at + piece.length, in.length - at - drop);
        return out;
    }

    /** A safetensors file with a mutated header; most often its length is made right again. */
    private static byte[] safetensors(byte[] valid, Random r) {
        int length = (int) ByteBuffer.wrap(valid).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (r.nextInt(5) == 0) {
            return binary(valid, 8 + length, r);
        }
        byte[] header = text(Arrays.copyOfRange(valid, 8, 8 + length), r);
        byte[] out = new byte[8 + header.length + valid.length - 8 - length];
        word(out, 0, header.length, 8);
        System.arraycopy(header, 0, out, 8, header.length);
        System.arraycopy(valid, 8 + length, out, 8 + header.length, valid.length - 8 - length);
        return out;
    }

    /** Text with digits changed, pieces doubled or dropped, and snippets put in; now and then plain byte mutations. */
    private static byte[] text(byte[] valid, Random r) {
        if (r.nextInt(6) == 0) {
            return binary(valid, valid.length, r);
        }
        byte[] out = valid.clone();
        for (int n = 1 + r.nextInt(3); n > 0; n--) {
            int at = r.nextInt(out.length);
            switch (r.nextInt(4)) {
                case 0 -> {
                    while (at < out.length && !Character.isDigit(out[at])) {
                        at++;
                    }
                    if (at < out.length) {
                        out[at] = (byte) ('0' + r.nextInt(10));
                    }
                }
                case 1 -> out = splice(out, at, SNIPPETS.get(r.nextInt(SNIPPETS.size())).getBytes(StandardCharsets.UTF_8),
                        Math.min(out.length - at, r.nextInt(4)));
                case 2 -> out = splice(out, at, new byte[0], Math.min(out.length - at - 1, r.nextInt(30)));
                default -> {
                    int to = Math.min(out.length, at + 1 + r.nextInt(120));
                    out = splice(out, r.nextInt(out.length), Arrays.copyOfRange(out, at, to), 0);
                }
            }
        }
        return out;
    }
}
