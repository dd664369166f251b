package poot.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.executor.BufferPlan;
import poot.api.executor.ExecutorException;
import poot.api.executor.Residency;
import poot.api.graph.Weight;
import poot.backend.cpu.ffi.LargePages;
import poot.backend.cpu.memory.Available;
import poot.backend.cpu.kernel.weight.Copies;
import poot.backend.cpu.memory.Memory;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.x86.weight.Interleaving;

/**
 * Copies of weights, as packed as they are stored, in large pages and in the order in which they are read. A token reads
 * every weight once, from memory: a mapped file lies in small pages, and many rows read at once are as many places, which
 * costs a core half and more of the rate at which it can read.
 */
final class WeightCopies implements Copies, AutoCloseable {
    /** Bytes a worker copies at a time. */
    private static final long PIECE = 4 << 20;
    /** Bytes that are taken from the system at a time, unless less or more is needed. */
    private static final long SLAB = 64 << 20;

    /** What is copied: the bytes of a part, wherever weights share it, and in which order. */
    private record Copied(long address, long bytes, Optional<Interleaving> order) {
        static Copied of(MemorySegment part, Optional<Interleaving> order) {
            return new Copied(part.address(), part.byteSize(), order);
        }
    }

    /** Copies a range of units. */
    private interface Move {
        void run(long from, long to);
    }

    private final Residency residency;
    private final Team team;
    private final Memory memory = new Memory("weights");
    private final Map<Copied, MemorySegment> copies = new HashMap<>();
    private long left;
    private MemorySegment slab = MemorySegment.NULL;

    /** No copies yet; {@code weights} are those of which there may be some. */
    WeightCopies(Collection<Weight> weights, Residency residency, Team team) {
        this.residency = residency;
        this.team = team;
        Set<Copied> parts = new HashSet<>();
        weights.forEach(w -> w.parts().forEach(p -> parts.add(Copied.of(p, Optional.empty()))));
        this.left = parts.stream().mapToLong(p -> aligned(p.bytes())).sum();
    }

    @Override
    public synchronized Weight plain(Weight w) throws ExecutorException {
        List<MemorySegment> parts = new ArrayList<>();
        for (MemorySegment part : w.parts()) {
            parts.add(plain(w, part));
        }
        return with(w, parts);
    }

    private MemorySegment plain(Weight w, MemorySegment part) throws ExecutorException {
        long pieces = Math.ceilDiv(part.byteSize(), PIECE);
        return copy(w, part, Optional.empty(), pieces, to -> (first, end) -> {
            for (long i = first; i < end; i++) {
                long size = Math.min(PIECE, part.byteSize() - i * PIECE);
                MemorySegment piece = part.asSlice(i * PIECE, size);
                MemorySegment.copy(piece, 0, to, i * PIECE, size);
                LargePages.forget(piece);
            }
        }).orElse(part);
    }

    @Override
    public synchronized Optional<Weight> interleaved(Weight w, Interleaving order) throws ExecutorException {
        MemorySegment part = w.parts().getFirst();
        long rowBytes = (long) w.columns() / w.format().encoding().blockElements() * w.format().encoding().blockBytes();
        long groupBytes = rowBytes * order.lanes();
        if (w.parts().size() != 1 || groupBytes == 0 || part.byteSize() % groupBytes != 0) {
            return Optional.empty();
        }
        long groups = part.byteSize() / groupBytes;
        long some = Math.max(1, PIECE / groupBytes);
        return copy(w, part, Optional.of(order), Math.ceilDiv(groups, some), to -> (first, end) -> {
            for (long piece = first; piece < end; piece++) {
                long last = Math.min(groups, (piece + 1) * some);
                for (long g = piece * some; g < last; g++) {
                    order.write(part, g * groupBytes, rowBytes, to, g * groupBytes);
                }
                LargePages.forget(part.asSlice(piece * some * groupBytes, (last - piece * some) * groupBytes));
            }
        }).map(copy -> with(w, List.of(copy)));
    }

    private static Weight with(Weight w, List<MemorySegment> parts) {
        return new Weight(w.name(), w.format(), w.stored(), parts, w.firstRow(), w.firstColumn(), w.shape());
    }

    /** What moves a part's bytes to where they are copied. */
    private interface Moving {
        Move to(MemorySegment copy);
    }

    private Optional<MemorySegment> copy(Weight w, MemorySegment part, Optional<Interleaving> order, long pieces, Moving moving)
            throws ExecutorException {
        if (!part.isNative()) {
            return Optional.empty();
        }
        Copied what = Copied.of(part, order);
        MemorySegment copy = copies.get(what);
        if (copy == null && copies(part.byteSize())) {
            MemorySegment to = room(w, part.byteSize());
            Move move = moving.to(to);
            team.acquire();
            try {
                team.run((worker, from, end) -> move.run(from, end), pieces, 1);
            } finally {
                team.release();
            }
            copy = to.asReadOnly();
            copies.put(what, copy);
        }
        return Optional.ofNullable(copy);
    }

    private boolean copies(long bytes) {
        return switch (residency) {
            case MAPPED -> false;
            case COPIED -> true;
            case AUTO -> bytes <= slab.byteSize() || Math.max(bytes, Math.min(SLAB, left)) <= Available.bytes() / 2;
        };
    }

    /** Room for a copy: neighbours in one slab. */
    private MemorySegment room(Weight w, long bytes) throws ExecutorException {
        long size = aligned(bytes);
        if (size > slab.byteSize()) {
            slab = memory.allocateLarge("a copy of " + w.name(), Math.max(size, Math.min(SLAB, left)));
        }
        MemorySegment room = slab.asSlice(0, bytes);
        slab = slab.asSlice(Math.min(size, slab.byteSize()));
        left = Math.max(0, left - size);
        return room;
    }

    private static long aligned(long bytes) {
        return (bytes + BufferPlan.ALIGNMENT - 1) / BufferPlan.ALIGNMENT * BufferPlan.ALIGNMENT;
    }

    /** Bytes of all copies. */
    long bytes() {
        return memory.bytes();
    }

    @Override
    public void close() {
        memory.close();
    }
}
