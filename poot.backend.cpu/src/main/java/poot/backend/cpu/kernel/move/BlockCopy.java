package poot.backend.cpu.kernel.move;

import java.lang.foreign.MemorySegment;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Work;

/** Equal blocks of bytes from one regular place to another: slices, parts of concatenations, padding's inside. */
public final class BlockCopy implements Ranged {
    private final Region from;
    private final Region to;
    private final Blocks blocks;
    private final long grain;
    private final Work body = this::range;

    /**
     * How blocks lie, in bytes.
     *
     * @param count      blocks
     * @param bytes      of one block
     * @param fromFirst  where the first begins in the source
     * @param fromStride from one to the next in the source
     * @param toFirst    where the first begins in the result
     * @param toStride   from one to the next in the result
     */
    public record Blocks(long count, long bytes, long fromFirst, long fromStride, long toFirst, long toStride) {
        /** One block of everything. */
        public static Blocks whole(long bytes) {
            return new Blocks(1, bytes, 0, bytes, 0, bytes);
        }
    }

    /** Copies {@code blocks} of {@code from} to {@code to}. */
    public BlockCopy(Region from, Region to, Blocks blocks) {
        this.from = from;
        this.to = to;
        this.blocks = blocks;
        this.grain = Math.max(1, 65536 / Math.max(1, blocks.bytes()));
    }

    @Override
    public long items() {
        return blocks.bytes() == 0 ? 0 : blocks.count();
    }

    @Override
    public long grain() {
        return grain;
    }

    @Override
    public Work body() {
        return body;
    }

    private void range(int worker, long first, long end) {
        MemorySegment source = from.segment();
        MemorySegment result = to.segment();
        for (long i = first; i < end; i++) {
            MemorySegment.copy(
                    source, from.offset() + blocks.fromFirst() + i * blocks.fromStride(),
                    result, to.offset() + blocks.toFirst() + i * blocks.toStride(), blocks.bytes());
        }
    }
}
