package poot.backend.cpu.kernel.attention;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.api.graph.ElementType;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Memory;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;

/** A cache in scattered blocks gives the bits of a contiguous one, by emitted code and by vectors. */
class BlockedAttentionTest {
    private static final int CAPACITY = 480;
    private static final int HEADS = 8;
    private static final int GROUPS = 2;
    private static final int DEPTH = 16;

    private final Random random = new Random(9);

    /** One attention: a row that has {@code live} positions, of which the step's tokens are the last. */
    private record Case(int tokens, int live, int window, ElementType kv, boolean slopes) {}

    @Test
    void scatteredBlocksGiveTheBitsOfOne() throws ExecutorException {
        Optional<Emitter> emitter = Emitter.open();
        Team team = new Team(1);
        for (ElementType kv : List.of(ElementType.F32, ElementType.F16, ElementType.BF16)) {
            for (Case c : List.of(new Case(1, 1, 0, kv, false), new Case(1, 100, 0, kv, true), new Case(1, 480, 0, kv, false),
                    new Case(1, 333, 50, kv, false), new Case(9, 70, 0, kv, false), new Case(40, 300, 0, kv, true),
                    new Case(33, 479, 21, kv, false))) {
                try (Memory memory = new Memory("blocks")) {
                    compare(c, memory, team, emitter);
                }
            }
        }
        team.close();
        emitter.ifPresent(Emitter::close);
    }

    private void compare(Case c, Memory memory, Team team, Optional<Emitter> emitter) throws ExecutorException {
        Region q = region(memory, c.tokens * HEADS * DEPTH, ElementType.F32);
        Region slopes = region(memory, HEADS, ElementType.F32);
        Region k = region(memory, CAPACITY * GROUPS * DEPTH, c.kv);
        Region v = region(memory, CAPACITY * GROUPS * DEPTH, c.kv);
        for (Optional<Emitter> by : List.of(emitter, Optional.<Emitter>empty())) {
            float[] expected = run(c, memory, team, by, q, k, v, slopes, CAPACITY, List.of(0));
            for (int block : new int[] {16, 5, 160}) {
                List<Integer> table = new ArrayList<>();
                for (int i = 0; i < CAPACITY / block; i++) {
                    table.add(i);
                }
                Collections.shuffle(table, random);
                Region scatteredKeys = scattered(memory, k, c.kv, block, table);
                Region scatteredValues = scattered(memory, v, c.kv, block, table);
                float[] got = run(c, memory, team, by, q, scatteredKeys, scatteredValues, slopes, block, table);
                assertArrayEquals(expected, got, c + " in blocks of " + block + (by.isPresent() ? " by emitted code" : " by vectors"));
            }
            assertTrue(Float.isFinite(expected[0]));
        }
    }

    private Region region(Memory memory, int n, ElementType e) throws ExecutorException {
        MemorySegment s = memory.allocate("values", (long) n * e.bytes());
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

    /** A cache whose block i lies at block {@code table[i]}. */
    private static Region scattered(Memory memory, Region of, ElementType e, int block, List<Integer> table) throws ExecutorException {
        long bytes = (long) block * GROUPS * DEPTH * e.bytes();
        MemorySegment s = memory.allocate("scattered", CAPACITY / block * bytes);
        for (int i = 0; i < table.size(); i++) {
            MemorySegment.copy(of.segment(), i * bytes, s, table.get(i) * bytes, bytes);
        }
        return Region.of(s, 0);
    }

    private static float[] run(Case c, Memory memory, Team team, Optional<Emitter> by, Region q, Region k, Region v, Region slopes,
            int block, List<Integer> blocks) throws ExecutorException {
        Region table = Region.of(memory.allocate("table", 4L * blocks.size()), 0);
        for (int i = 0; i < blocks.size(); i++) {
            table.segment().set(Lanes.INT, 4L * i, blocks.get(i));
        }
        Region positions = Region.of(memory.allocate("positions", 4L * c.tokens), 0);
        for (int t = 0; t < c.tokens; t++) {
            positions.segment().set(Lanes.INT, 4L * t, c.live - c.tokens + t);
        }
        int count = c.tokens * HEADS * DEPTH;
        Region out = Region.of(memory.allocate("out", 4L * count), 0);
        Keys keys = new Keys.Cached(table, positions, blocks.size(), c.tokens, block, CAPACITY, c.window);
        Attention.Operands operands = new Attention.Operands(
                q, Cache.plain(k, v, c.kv), c.slopes ? Optional.of(slopes) : Optional.empty(), Optional.empty(), out);
        Workspace workspace = new Workspace();
        Attention attention = new Attention(
                new Attention.Extents(1, c.tokens, HEADS, GROUPS, DEPTH, DEPTH, 0.25f, 0), operands, keys, workspace, by);
        workspace.allocate(memory, team.size());
        attention.run(team);
        return out.segment().asSlice(0, 4L * count).toArray(Lanes.FLOAT);
    }
}
