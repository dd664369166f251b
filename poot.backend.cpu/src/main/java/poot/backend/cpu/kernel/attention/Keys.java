package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.BYTE;
import static poot.backend.cpu.kernel.Lanes.INT;

import poot.backend.cpu.memory.Region;

/** Where the keys and values of a row lie, and which positions a query sees. */
public sealed interface Keys {
    /** The slot that holds a position of a row, or -1 where there is none. */
    int slot(int row, int position);

    /** Whether {@code n} positions from {@code position} on all have a slot, each the one after the last. */
    boolean consecutive(int row, int position, int n);

    /** The first position query {@code token} of a row sees. */
    int first(int row, int token);

    /** One past the last position it sees; 0 for a padding token. */
    int end(int row, int token);

    /** The query's own position, for distances. */
    int position(int row, int token);

    /** The most positions a row can have. */
    int capacity();

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
        public boolean consecutive(int row, int position, int n) {
            int last = position + n - 1;
            int first = slot(row, position);
            return first >= 0 && position / block == last / block && slot(row, last) == first + n - 1;
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
        public boolean consecutive(int row, int position, int n) {
            for (int i = position; i < position + n; i++) {
                if (slot(row, i) < 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int first(int row, int token) {
            return 0;
        }

        @Override
        public int end(int row, int token) {
            return tokens;
        }

        @Override
        public int position(int row, int token) {
            return token;
        }

        @Override
        public int capacity() {
            return tokens;
        }
    }
}
