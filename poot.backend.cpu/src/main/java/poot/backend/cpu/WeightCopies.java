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
import poot.backend.cpu.x86.weight.Regrouping;

/**
 * Copies of weights, as packed as they are stored, in the order in which they are read and in large pages. A token reads every
 * weight once, from memory: rows that are read together where they are stored are as many places at once, more than a core
 * follows by itself, and what is read of them must be exchanged between lanes.
 */
final class WeightCopies implements Copies, AutoCloseable {
    /** Bytes a worker copies at a time. */
    private static final long PIECE = 4 << 20;
    /** Bytes that are taken from the system at a time, unless less or more is needed. */
    private static final long SLAB = 64 << 20;

    /** What is copied: the bytes of a part, wherever weights share it, as rows of a length in an order. */
    private record Copied(long address, long bytes, long rowBytes, Interleaving order) {}

    /** What is made of the parts of a weight. */
    private record Made(List<Part> parts, Regrouping how, int lanes) {}

    private record Part(long address, long bytes) {
        static Part of(MemorySegment part) {
            return new Part(part.address(), part.byteSize());
        }
    }

    private final boolean copying;
    private final Team team;
    private final Memory memory = new Memory("weights");
    private final Map<Record, MemorySegment> copies = new HashMap<>();
    private long left;
    private MemorySegment slab = MemorySegment.NULL;

    /** No copies yet; {@code weights} are those of which there may be some. */
    WeightCopies(Collection<Weight> weights, Residency residency, Team team) {
        this.team = team;
        Set<Part> parts = new HashSet<>();
        weights.forEach(w -> w.parts().forEach(p -> parts.add(Part.of(p))));
        this.left = parts.stream().mapToLong(p -> aligned(p.bytes())).sum();
        this.copying = switch (residency) {
            case MAPPED -> false;
            case COPIED -> true;
            case AUTO -> left <= Available.bytes() / 2;
        };
    }

    @Override
    public synchronized Optional<Weight> interleaved(Weight w, Interleaving order) throws ExecutorException {
        MemorySegment part = w.parts().getFirst();
        long rowBytes = (long) w.columns() / w.format().encoding().blockElements() * w.format().encoding().blockBytes();
        long groupBytes = rowBytes * order.lanes();
        if (!part.isNative() || groupBytes == 0 || part.byteSize() % groupBytes != 0) {
            return Optional.empty();
        }
        Copied what = new Copied(part.address(), part.byteSize(), rowBytes, order);
        MemorySegment copy = copies.get(what);
        if (copy == null) {
            if (!copying) {
                return Optional.empty();
            }
            copy = room(w, part.byteSize());
            write(part, copy, rowBytes, order);
            copies.put(what, copy);
        }
        List<MemorySegment> parts = new ArrayList<>(List.of(copy.asReadOnly()));
        for (MemorySegment beside : w.parts().subList(1, w.parts().size())) {
            parts.add(asStored(w, beside));
        }
        return Optional.of(copied(w, parts));
    }

    /** A part beside the codes as it is: a call keeps one part of a weight, and with it all that came from where it did. */
    private MemorySegment asStored(Weight w, MemorySegment part) throws ExecutorException {
        MemorySegment copy = copies.get(Part.of(part));
        if (copy == null) {
            copy = room(w, part.byteSize()).copyFrom(part);
            copies.put(Part.of(part), copy);
        }
        return copy.asReadOnly();
    }

    @Override
    public synchronized Optional<Weight> made(Weight w, Making making) throws ExecutorException {
        Regrouping how = making.how();
        int lanes = making.lanes();
        Made what = new Made(w.parts().stream().map(Part::of).toList(), how, lanes);
        MemorySegment copy = copies.get(what);
        if (copy == null) {
            if (!copying) {
                return Optional.empty();
            }
            long groupBytes = how.rowBytes() * lanes;
            copy = room(w, groupBytes * how.groups(lanes));
            MemorySegment to = copy;
            int some = Math.clamp(PIECE / groupBytes, 1, how.groups(lanes));
            inPieces(how.groups(lanes), some, (from, end) -> making.make((int) from, (int) end, to, from * groupBytes));
            w.parts().forEach(LargePages::forget);
            copies.put(what, copy);
        }
        return Optional.of(copied(w, List.of(copy.asReadOnly())));
    }

    private static Weight copied(Weight w, List<MemorySegment> parts) {
        return new Weight(w.name(), w.format(), w.stored(), parts, w.firstRow(), w.firstColumn(), w.shape());
    }

    private void write(MemorySegment part, MemorySegment copy, long rowBytes, Interleaving order) {
        long groupBytes = rowBytes * order.lanes();
        inPieces(part.byteSize() / groupBytes, Math.max(1, PIECE / groupBytes), (from, end) -> {
            for (long g = from; g < end; g++) {
                order.write(part, g * groupBytes, rowBytes, copy, g * groupBytes);
            }
            LargePages.forget(part.asSlice(from * groupBytes, (end - from) * groupBytes));
        });
    }

    /** Writes some groups of rows. */
    private interface Piece {
        void write(long from, long end);
    }

    /** Writes {@code count} groups, {@code some} at a time, with the whole team. */
    private void inPieces(long count, long some, Piece each) {
        team.acquire();
        try {
            team.run((worker, first, end) -> {
                for (long piece = first; piece < end; piece++) {
                    each.write(piece * some, Math.min(count, (piece + 1) * some));
                }
            }, Math.ceilDiv(count, some), 1);
        } finally {
            team.release();
        }
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
