package poot.backend.cpu.kernel.attention;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.graph.ElementType;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Memory;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;

/**
 * Emitted attention against that of vectors, at awkward sizes: near it, the same bits for every vector width, and no byte
 * read or written outside the cache, which ends where a page begins that cannot be touched.
 */
class EmittedAttentionTest {
    private static final long PAGE = 4096;
    private static final int NO_ACCESS = 0;
    private static final int READ_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS = 0x22;

    private final Random random = new Random(3);

    /** Rows, tokens, heads, groups, features, live positions of the first row, window, element type. */
    private record Case(int rows, int tokens, int heads, int groups, int depth, int live, int window, ElementType kv, boolean extras) {}

    private static List<Case> cases() {
        List<Case> out = new ArrayList<>();
        int[][] shapes = {{1, 1, 1, 1, 8}, {1, 1, 4, 1, 64}, {2, 1, 14, 2, 64}, {1, 1, 12, 6, 16}, {3, 1, 6, 2, 80}, {1, 1, 9, 1, 128}, {1, 2, 4, 4, 16},
            {2, 7, 6, 2, 24}, {1, 33, 4, 1, 64}, {1, 70, 5, 5, 8}, {1, 40, 7, 1, 40}, {1, 19, 17, 1, 96}};
        int[] lives = {1, 63, 64, 65, 131, 700};
        ElementType[] kinds = {ElementType.F32, ElementType.F16, ElementType.BF16};
        int i = 0;
        for (int[] s : shapes) {
            for (int live : lives) {
                if (live >= s[1] && (live < 700 || s[1] == 1)) {
                    out.add(new Case(s[0], s[1], s[2], s[3], s[4], live, i % 4 == 3 ? 10 : 0, kinds[i % 3], i % 2 == 1));
                    i++;
                }
            }
        }
        return out;
    }

    private static Optional<Emitter> emitter(String wish) {
        String before = System.setProperty(Emitter.PROPERTY, wish);
        try {
            return Emitter.open();
        } finally {
            if (before == null) {
                System.clearProperty(Emitter.PROPERTY);
            } else {
                System.setProperty(Emitter.PROPERTY, before);
            }
        }
    }

    @Test
    void emittedAttentionIsThatOfVectors() throws Exception {
        Optional<Emitter> narrow = emitter("avx2");
        assumeTrue(System.getProperty("os.name", "").contains("Linux"), "guard pages are made the Linux way");
        assumeTrue(narrow.isPresent(), "no emitted kernels here: " + Emitter.probe().why());
        Optional<Emitter> wide = emitter("avx512");
        Team team = new Team(2);
        for (Case c : cases()) {
            Inputs in = new Inputs(c);
            float[] expected = in.run(team, Optional.empty());
            float[] actual = in.run(team, narrow);
            for (int i = 0; i < expected.length; i++) {
                assertTrue(Math.abs(expected[i] - actual[i]) <= 2e-5f * Math.max(1, Math.abs(expected[i])),
                        c + " at " + i + ": " + actual[i] + ", not " + expected[i]);
            }
            if (wide.isPresent()) {
                float[] same = in.run(team, wide);
                for (int i = 0; i < same.length; i++) {
                    assertEquals(actual[i], same[i], c + " at " + i + ": two widths");
                }
            }
            in.close();
        }
        team.close();
        narrow.get().close();
        wide.ifPresent(Emitter::close);
    }

    /** However many share the heads and stretches. */
    @Test
    void workersDoNotChangeWhatComes() throws Exception {
        assumeTrue(System.getProperty("os.name", "").contains("Linux"), "guard pages are made the Linux way");
        Optional<Emitter> emitter = emitter("auto");
        for (Case c : cases()) {
            Inputs in = new Inputs(c);
            for (Optional<Emitter> e : List.of(Optional.<Emitter>empty(), emitter)) {
                float[] expected = {};
                for (int workers : new int[] {1, 2, 5}) {
                    Team team = new Team(workers);
                    float[] actual = in.run(team, e);
                    expected = workers == 1 ? actual : expected;
                    assertArrayEquals(expected, actual, c + " by " + workers);
                    team.close();
                }
            }
            in.close();
        }
        emitter.ifPresent(Emitter::close);
    }

    /** The operands of a case, in memory that ends where what follows cannot be touched. */
    private final class Inputs {
        private final Case c;
        private final List<MemorySegment> pages = new ArrayList<>();
        private final Region q;
        private final Region k;
        private final Region v;
        private final Region table;
        private final Region positions;
        private final Region slopes;
        private final Region sinks;
        private final int capacity;

        Inputs(Case c) throws SystemFailed {
            this.c = c;
            this.capacity = c.live;
            int slots = c.rows * capacity;
            q = floats(c.rows * c.tokens * c.heads * c.depth, ElementType.F32);
            k = floats(slots * c.groups * c.depth, c.kv);
            v = floats(slots * c.groups * c.depth, c.kv);
            slopes = floats(c.heads, ElementType.F32);
            sinks = floats(c.heads, ElementType.F32);
            table = Region.of(guarded(4L * c.rows), 0);
            positions = Region.of(guarded(4L * c.rows * c.tokens), 0);
            for (int r = 0; r < c.rows; r++) {
                table.segment().set(Lanes.INT, 4L * r, c.rows - 1 - r);
                for (int t = 0; t < c.tokens; t++) {
                    int p = Math.max(0, c.live - c.tokens - 2 * r) + t;
                    boolean padding = c.tokens > 1 && r == c.rows - 1 && t == c.tokens - 1 || c.rows == 3 && r == 1 || p >= c.live;
                    positions.segment().set(Lanes.INT, 4L * (r * c.tokens + t), padding ? -1 : p);
                }
            }
        }

        private Region floats(int n, ElementType e) throws SystemFailed {
            MemorySegment s = guarded((long) n * e.bytes());
            for (int i = 0; i < n; i++) {
                float x = (float) random.nextGaussian();
                switch (e) {
                    case F16 -> s.set(Lanes.SHORT, 2L * i, Float.floatToFloat16(x));
                    case BF16 -> s.set(Lanes.SHORT, 2L * i, (short) (Float.floatToRawIntBits(x) >>> 16));
                    default -> s.set(Lanes.FLOAT, 4L * i, x);
                }
            }
            return Region.of(s, 0);
        }

        float[] run(Team team, Optional<Emitter> emitter) throws Exception {
            Memory memory = new Memory("attention");
            Workspace workspace = new Workspace();
            int count = c.rows * c.tokens * c.heads * c.depth;
            Region out = Region.of(memory.allocate("out", 4L * count), 0);
            Keys keys = new Keys.Cached(table, positions, 1, c.tokens, capacity, c.rows * capacity, c.window);
            Attention.Extents extents = new Attention.Extents(
                    c.rows, c.tokens, c.heads, c.groups, c.depth, c.depth, 0.3f, c.extras ? 20 : 0);
            Attention.Operands operands = new Attention.Operands(q, Cache.plain(k, v, c.kv), c.extras ? Optional.of(slopes) : Optional.empty(),
                    c.extras ? Optional.of(sinks) : Optional.empty(), out);
            Attention attention = new Attention(extents, operands, keys, workspace, emitter);
            workspace.allocate(memory, team.size());
            attention.run(team);
            float[] result = out.segment().asSlice(0, 4L * count).toArray(Lanes.FLOAT);
            memory.close();
            return result;
        }

        private MemorySegment guarded(long bytes) throws SystemFailed {
            MemorySegment all = Guard.map(bytes);
            pages.add(all);
            return all.asSlice(all.byteSize() - PAGE - bytes, bytes);
        }

        void close() throws SystemFailed {
            for (MemorySegment p : pages) {
                Guard.unmap(p);
            }
        }
    }

    /** A call into the system that failed. */
    private static final class SystemFailed extends Exception {
        private static final long serialVersionUID = 1L;

        SystemFailed(Throwable cause) {
            super(cause);
        }
    }

    /** Pages of which the last cannot be touched. */
    @SuppressWarnings("restricted")
    private static final class Guard {
        private static MemorySegment map(long bytes) throws SystemFailed {
            long size = Math.ceilDiv(bytes, PAGE) * PAGE + PAGE;
            try {
                MemorySegment at = (MemorySegment) Linker.nativeLinker().downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("mmap"), FunctionDescriptor.of(
                                ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG))
                        .invokeExact(0L, size, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
                MemorySegment all = at.reinterpret(size);
                int result = (int) Linker.nativeLinker().downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("mprotect"), FunctionDescriptor.of(
                                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT))
                        .invokeExact(all.asSlice(size - PAGE), PAGE, NO_ACCESS);
                assertEquals(0, result, "mprotect");
                return all;
            } catch (Throwable t) {
                throw new SystemFailed(t);
            }
        }

        private static void unmap(MemorySegment pages) throws SystemFailed {
            try {
                int result = (int) Linker.nativeLinker().downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("munmap"), FunctionDescriptor.of(
                                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG))
                        .invokeExact(pages, pages.byteSize());
                assertEquals(0, result, "munmap");
            } catch (Throwable t) {
                throw new SystemFailed(t);
            }
        }
    }
}
