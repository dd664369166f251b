package poot.core.kernel.generate.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.KernelRun;

class RandomWordsTest {
    private static int[] words(int rows, int n, int[] key, int[] counter) throws Exception {
        try (KernelRun run = new KernelRun(8)) {
            DeviceBuffer out = run.empty("out", 4L * rows * n);
            RandomWords random = new RandomWords(rows, n);
            run.run(random, random.grid(run.limits()),
                    List.of(Argument.of(run.ints("key", key)), Argument.of(run.ints("counter", counter)), Argument.of(out)));
            return run.ints(out);
        }
    }

    /** The first of the published test vectors whose counter's upper words are 0. */
    @Test
    void publishedBlock() throws Exception {
        assertArrayEquals(new int[] {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, words(1, 4, new int[2], new int[2]));
    }

    @Test
    void rowsAndBlocks() throws Exception {
        int[] key = {1, 2, 0xffffffff, 0x80000000, 7, 8};
        int[] counter = {3, 4, 0xffffffff, 5, 0, 9};
        int[] expected = new int[3 * 7];
        for (int i = 0; i < expected.length; i++) {
            int row = i / 7;
            expected[i] = block(key[2 * row], key[2 * row + 1], counter[2 * row], counter[2 * row + 1], i % 7 / 4)[i % 7 % 4];
        }
        assertArrayEquals(expected, words(3, 7, key, counter));
    }

    private static int[] block(int key, int otherKey, int... counter) {
        long k = Integer.toUnsignedLong(key);
        long l = Integer.toUnsignedLong(otherKey);
        long[] c = {counter[0] & 0xffffffffL, counter[1] & 0xffffffffL, counter[2], 0};
        for (int round = 0; round < 10; round++) {
            long even = c[0] * 0xD2511F53L;
            long odd = c[2] * 0xCD9E8D57L;
            c = new long[] {odd >>> 32 ^ c[1] ^ k, odd & 0xffffffffL, even >>> 32 ^ c[3] ^ l, even & 0xffffffffL};
            k = k + 0x9E3779B9L & 0xffffffffL;
            l = l + 0xBB67AE85L & 0xffffffffL;
        }
        return new int[] {(int) c[0], (int) c[1], (int) c[2], (int) c[3]};
    }
}
