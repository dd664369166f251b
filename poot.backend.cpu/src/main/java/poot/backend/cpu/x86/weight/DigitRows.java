package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPMULHUW;
import static poot.backend.cpu.x86.Instruction.VPMULLW;

import java.util.List;
import java.util.stream.IntStream;

/**
 * TQ1_0: bytes whose base-3 digits, as fractions of 256, are codes less 1, the first digit first. Digit n of bytes 0 to 31 are
 * elements 32n on, of bytes 32 to 47 elements 160 + 16n on, of bytes 48 to 51 elements 240 + 4n on (four digits); then the F16
 * scale of the block. Groups are of sixteen elements.
 */
final class DigitRows implements StoredRows {
    private static final int[] POWERS = {1, 3, 9, 27, 81};

    /** Groups as they are read: five digits of three times sixteen bytes, then the last. */
    private static List<Integer> order() {
        return IntStream.range(0, 16).mapToObj(i -> i == 15 ? 15 : group(i / 5, i % 5)).toList();
    }

    private static int group(int sixteen, int digit) {
        return sixteen == 2 ? 10 + digit : 2 * digit + sixteen;
    }

    @Override
    public Layout layout() {
        return Layout.codes(16, 1, order());
    }

    @Override
    public int stepBytes() {
        return 54;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        rows.half(52, rows.kept, rows.free);
        for (int sixteen = 0; sixteen < 3; sixteen++) {
            rows.quads(16 * sixteen);
            for (int digit = 0; digit < 5; digit++) {
                int group = group(sixteen, digit);
                sink.begin(group);
                for (int i = 0; i < 4; i++) {
                    digit(rows, sink, group, i, rows.quads + i, digit);
                }
                sink.end(group, rows.kept, -1);
            }
        }
        rows.quads(36);
        sink.begin(15);
        for (int digit = 0; digit < 4; digit++) {
            digit(rows, sink, 15, digit, rows.quads + 3, digit);
        }
        sink.end(15, rows.kept, -1);
    }

    /** A digit of the bytes: of byte · 3ⁿ the lower eight bits, times 3, divided by 256. */
    private static void digit(Rows rows, Sink sink, int group, int index, int quad, int digit) {
        rows.code().table(VPMULLW, rows.work, quad, Codes.words(POWERS[digit] << 8));
        rows.code().table(VPMULHUW, rows.work, rows.work, Codes.words(3));
        sink.unit(group, 2 * index, rows.work);
        Codes.right(rows, rows.work, quad, 8);
        rows.code().table(VPMULLW, rows.work, rows.work, Codes.words(POWERS[digit] << 8));
        rows.code().table(VPMULHUW, rows.work, rows.work, Codes.words(3));
        sink.unit(group, 2 * index + 1, rows.work);
    }
}
