package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.BYTE;
import static poot.backend.cpu.kernel.Lanes.INT;

import poot.backend.cpu.memory.Region;

/** Where the keys and values of a row lie, and which positions a query sees. */
public sealed interface Keys {
    /** The slot that holds a position of a row, or -1 where there is none. */
    int slot(int row, int position);

    /** How many positions from {@code position} on, at most {@code n}, have slots of which each is the one after the last. */
    int run(int row, int position, int n);

    /** Whether one of {@code n} positions has no slot. */
    default boolean holes(int row, int position, int n) {
        for (int i = 0; i < n; i++) {
            if (slot(row, position + i) < 0) {
                return true;
            }
        }
        return false;
    }

    /** The first position query {@code token} of a row sees. */
    int first(int row, int token);

    /** One past the last position it sees; 0 for a padding token. */
    int end(int row, int token);

    /** The query's own position, for distances. */
    int position(int row, int token);

    /** The most positions a row can have. */
    int capacity();

    /** How many positions a query sees at most, its own included; 0 for all. */
    int window();

    /**
     * A cache in blocks.
     *
     * @param table     I32 [R, width]
     * @param positions I32 [R, tokens]
     * @param slots     slots of the pool: a table entry beyond it holds nothing
     * @param window    positions seen, the query's own included; 0 for all
     */
    record Cached(Region table, Region positions, int width, int tokens, int block, int slots, int window) implements Keys {
        @Override
        public int slot(int row, int position) {
            int entry = table.segment().get(INT, table.offset() + 4L * ((long) row * width + position / block));
            long slot = (long) entry * block + position % block;
            return entry < 0 || slot >= slots ? -1 : (int) slot;
        }

        @Override
        public int run(int row, int position, int n) {
            int first = slot(row, position);
            if (first < 0) {
                return 0;
            }
            int count = Math.min(n, block - position % block);
            while (count < n && slot(row, position + count) == first + count) {
                count = Math.min(n, count + block);
            }
            return Math.min(count, slots - first);
        }

        @Override
        public int first(int row, int token) {
            return window > 0 ? Math.max(0, position(row, token) - window + 1) : 0;
        }

        @Override
        public int end(int row, int token) {
            return Math.min(Math.max(position(row, token), -1), capacity() - 1) + 1;
        }

        @Override
        public int position(int row, int token) {
            return positions.segment().get(INT, positions.offset() + 4L * ((long) row * tokens + token));
        }

        @Override
        public int capacity() {
            return (int) Math.min(Integer.MAX_VALUE - 1, (long) width * block);
        }
    }

    /**
     * The tokens of the pass itself, every real one seen by all.
     *
     * @param real BOOL [R, tokens]
     */
    record Within(Region real, int tokens) implements Keys {
        @Override
        public int slot(int row, int position) {
            long at = (long) row * tokens + position;
            return real.segment().get(BYTE, real.offset() + at) != 0 ? (int) at : -1;
        }

        @Override
        public int run(int row, int position, int n) {
            int count = 0;
            while (count < n && slot(row, position + count) >= 0) {
                count++;
            }
            return count;
        }

        @Override
        public int first(int row, int token) {
            return 0;
        }

        /** One past the last real token: padding behind it is not walked. */
        @Override
        public int end(int row, int token) {
            int end = tokens;
            while (end > 0 && slot(row, end - 1) < 0) {
                end--;
            }
            return end;
        }

        @Override
        public int position(int row, int token) {
            return token;
        }

        @Override
        public int capacity() {
            return tokens;
        }

        @Override
        public int window() {
            return 0;
        }
    }
}
