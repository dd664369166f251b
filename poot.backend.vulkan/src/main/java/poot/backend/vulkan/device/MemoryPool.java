package poot.backend.vulkan.device;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.lwjgl.vulkan.VkDevice;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.MemoryLeft;

/**
 * Memory of one type. What is large gets a block of its own; what is small shares blocks, since a driver may allow few
 * thousand of them. Each piece begins on a multiple of {@link #ALIGNMENT} bytes.
 */
final class MemoryPool implements AutoCloseable {
    /** Bytes that the beginning of each piece is a multiple of. */
    static final int ALIGNMENT = 256;
    /** Bytes of a block that is shared, and the largest piece of it. */
    static final long SHARED_BLOCK = 16L << 20;
    static final long LARGEST_SHARED = 1L << 20;

    private final VkDevice device;
    private final int type;
    private final boolean map;
    private final long maxBytes;
    private final List<Shared> shared = new ArrayList<>();
    private final List<MemoryBlock> own = new ArrayList<>();

    /** @param maxBytes of one piece */
    MemoryPool(VkDevice device, int type, boolean map, long maxBytes) {
        this.device = device;
        this.type = type;
        this.map = map;
        this.maxBytes = maxBytes;
    }

    /** A piece of a block, from {@code offset} on. */
    record Piece(MemoryBlock block, long offset, long bytes, long reserved) {
        /** Where it begins in the block's buffer. */
        long bufferOffset() {
            return block.skip() + offset;
        }

        /** Where kernels see it. */
        long address() {
            return block.address() + offset;
        }

        /** The host's view, where it is mapped. */
        Optional<MemorySegment> mapped() {
            return block.mapped().map(m -> m.asSlice(offset, bytes));
        }
    }

    /** A block and what of it is free: bytes by their offset, never two runs side by side. */
    private record Shared(MemoryBlock block, TreeMap<Long, Long> free) {
        Optional<Long> take(long bytes) {
            for (Map.Entry<Long, Long> run : free.entrySet()) {
                if (run.getValue() >= bytes) {
                    long offset = run.getKey();
                    long rest = run.getValue() - bytes;
                    free.remove(offset);
                    if (rest > 0) {
                        free.put(offset + bytes, rest);
                    }
                    return Optional.of(offset);
                }
            }
            return Optional.empty();
        }

        void giveBack(long offset, long bytes) {
            long from = offset;
            long size = bytes;
            Map.Entry<Long, Long> before = free.floorEntry(offset);
            if (before != null && before.getKey() + before.getValue() == offset) {
                from = before.getKey();
                size += before.getValue();
            }
            Long after = free.remove(offset + bytes);
            free.put(from, after == null ? size : size + after);
        }

        boolean isUnused() {
            return free.size() == 1 && free.firstEntry().getValue() == block.bytes();
        }
    }

    /** A piece of {@code bytes}; what lies in it is undefined. */
    Piece allocate(String what, long bytes) throws ExecutorException {
        if (bytes <= 0) {
            throw new IllegalArgumentException(bytes + " bytes for " + what + ": ask for at least 1");
        }
        if (bytes > maxBytes - 2 * ALIGNMENT) {
            throw new ExecutorException(new OutOfMemory(what + " in one piece, of which the Vulkan device allows "
                    + MemoryLeft.readable(maxBytes) + ",", bytes));
        }
        long reserved = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
        if (reserved > LARGEST_SHARED) {
            MemoryBlock block = MemoryBlock.allocate(device, type, map, what, reserved);
            own.add(block);
            return new Piece(block, 0, bytes, reserved);
        }
        for (Shared s : shared) {
            Optional<Long> offset = s.take(reserved);
            if (offset.isPresent()) {
                return new Piece(s.block, offset.get(), bytes, reserved);
            }
        }
        MemoryBlock block;
        try {
            block = MemoryBlock.allocate(device, type, map, what, SHARED_BLOCK);
        } catch (ExecutorException e) {
            if (!(e.fault() instanceof OutOfMemory)) {
                throw e;
            }
            block = MemoryBlock.allocate(device, type, map, what, reserved); // Little is left: as much as is needed may be.
            own.add(block);
            return new Piece(block, 0, bytes, reserved);
        }
        Shared s = new Shared(block, new TreeMap<>(Map.of(reserved, SHARED_BLOCK - reserved)));
        shared.add(s);
        return new Piece(block, 0, bytes, reserved);
    }

    /** Gives a piece back; of blocks that nothing is in, one stays. */
    void free(Piece piece) {
        if (own.remove(piece.block)) {
            piece.block.close();
            return;
        }
        for (Shared s : shared) {
            if (s.block == piece.block) {
                s.giveBack(piece.offset, piece.reserved);
                if (s.isUnused() && shared.size() > 1) {
                    shared.remove(s);
                    s.block.close();
                }
                return;
            }
        }
    }

    /** The memory type. */
    int type() {
        return type;
    }

    /** Bytes of all blocks. */
    long bytes() {
        return own.stream().mapToLong(MemoryBlock::bytes).sum() + shared.stream().mapToLong(s -> s.block.bytes()).sum();
    }

    /** Blocks held. */
    int blocks() {
        return own.size() + shared.size();
    }

    @Override
    public void close() {
        own.forEach(MemoryBlock::close);
        own.clear();
        shared.forEach(s -> s.block.close());
        shared.clear();
    }
}
