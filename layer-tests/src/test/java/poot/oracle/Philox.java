package poot.oracle;

/**
 * Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011): ten rounds
 * over a 128-bit counter under a 64-bit key.
 */
public final class Philox {
    private Philox() {}

    /** The four words of the block of {@code counter} (four words) under {@code key} (two words). */
    public static int[] block(int[] key, int[] counter) {
        int k0 = key[0];
        int k1 = key[1];
        int[] c = counter.clone();
        for (int round = 0; round < 10; round++) {
            long even = Integer.toUnsignedLong(c[0]) * 0xD2511F53L;
            long odd = Integer.toUnsignedLong(c[2]) * 0xCD9E8D57L;
            c = new int[] {(int) (odd >>> 32) ^ c[1] ^ k0, (int) odd, (int) (even >>> 32) ^ c[3] ^ k1, (int) even};
            k0 += 0x9E3779B9;
            k1 += 0xBB67AE85;
        }
        return c;
    }
}
