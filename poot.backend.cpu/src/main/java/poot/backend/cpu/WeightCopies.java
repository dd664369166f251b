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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import poot.api.executor.BufferPlan;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.MemoryLeft;
import poot.api.executor.Residency;
import poot.api.graph.Weight;
import poot.backend.cpu.ffi.LargePages;
import poot.backend.cpu.ffi.SystemMemory;
import poot.backend.cpu.kernel.weight.Copies;
import poot.backend.cpu.memory.Available;
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
    private static final System.Logger LOG = System.getLogger(WeightCopies.class.getName());
    /** Bytes a worker copies at a time. */
    private static final long PIECE = 4 << 20;
    /** Bytes that are taken from the system at a time for copies that are not large, unless less is needed. */
    private static final long SLAB = 64 << 20;
    /** Bytes of a copy for which memory is taken from the system alone: of a slab so much may be left over. */
    private static final long LARGE = 16 << 20;

    /** What is copied: the bytes of a part, wherever weights share it, as rows of a length in an order. */
    private record Copied(long address, long bytes, long rowBytes, Interleaving order) {}

    /** What is made of the parts of a weight. */
    private record Made(List<Part> parts, Regrouping how, int lanes) {}

    private record Part(long address, long bytes) {
        static Part of(MemorySegment part) {
            return new Part(part.address(), part.byteSize());
        }
    }

    /** Whether not to copy is a failure. */
    private final boolean insisting;
    private final Team team;
    private final Consumer<String> log;
    /** What the copies of each preparation lie in. */
    private final List<Memory> memories = new CopyOnWriteArrayList<>();
    private final Map<Record, MemorySegment> copies = new HashMap<>();
    /** The copies of the preparation that goes on: until it ends nothing else reads them. */
    private final Set<Record> fresh = new HashSet<>();
    private Memory memory = newMemory();
    /** Whether there is to be a copy of what has none. */
    private boolean copying;
    /** Whether this preparation asked for one. */
    private boolean asked;
    private long left;
    private MemorySegment slab = MemorySegment.NULL;

    /** No copies yet; {@code weights} are those of which there may be some. */
    WeightCopies(Collection<Weight> weights, Residency residency, Team team) {
        this(weights, residency, team, line -> LOG.log(System.Logger.Level.WARNING, line));
    }

    WeightCopies(Collection<Weight> weights, Residency residency, Team team, Consumer<String> log) {
        this.team = team;
        this.log = log;
        this.insisting = residency == Residency.COPIED;
        Set<Part> parts = new HashSet<>();
        weights.forEach(w -> w.parts().forEach(p -> parts.add(Part.of(p))));
        this.left = parts.stream().mapToLong(p -> aligned(p.bytes())).sum();
        this.copying = switch (residency) {
            case MAPPED -> false;
            case COPIED -> true;
            case AUTO -> left <= toSpare() / 2;
        };
    }

    /** Of Java's own memory there is as much outside the heap as the heap may have, unless that is set. */
    private static long toSpare() {
        long free = Available.bytes();
        return SystemMemory.available() ? free : Math.min(free, Runtime.getRuntime().maxMemory());
    }

    private Memory newMemory() {
        Memory owner = new Memory("weights");
        memories.add(owner);
        return owner;
    }

    /** Prepares what reads copies. */
    interface Preparing<T> {
        T prepare() throws ExecutorException;
    }

    /**
     * Prepares what reads copies. Where memory does not suffice for them, or beside them, and nobody insists on them, those that
     * were made for it are released, there are to be no more, and it is prepared anew: weights are read where they are stored,
     * slower, and no failure. Copies that others read stay, and are read.
     *
     * @throws ExecutorException as {@code what} does
     */
    synchronized <T> T reading(Preparing<T> what) throws ExecutorException {
        fresh.clear();
        asked = false;
        try {
            return what.prepare();
        } catch (ExecutorException e) {
            if (!(e.fault() instanceof OutOfMemory) || insisting || !asked) {
                throw e;
            }
            release(e);
        } finally {
            if (memory.bytes() > 0) {
                memory = newMemory();
                slab = MemorySegment.NULL;
            }
        }
        return what.prepare();
    }

    private void release(ExecutorException why) {
        log.accept("weights are read from their file, as with --weights mapped, and " + MemoryLeft.readable(memory.bytes())
                + " of copies are released: " + why.getMessage());
        copying = false;
        copies.keySet().removeAll(fresh);
        fresh.clear();
        slab = MemorySegment.NULL;
        memories.remove(memory);
        memory.close();
        memory = newMemory();
    }

    @Override
    public synchronized Optional<Weight> interleaved(Weight w, Interleaving order) throws ExecutorException {
        MemorySegment part = w.parts().getFirst();
        long rowBytes = (long) w.columns() / w.format().encoding().blockElements() * w.format().encoding().blockBytes();
        long groupBytes = rowBytes * order.lanes();
        if (!part.isNative() || groupBytes == 0 || part.byteSize() % groupBytes != 0) {
            return Optional.empty();
        }
        List<MemorySegment> parts = new ArrayList<>();
        copy(new Copied(part.address(), part.byteSize(), rowBytes, order), w, part.byteSize(), to -> write(part, to, rowBytes, order))
                .ifPresent(parts::add);
        // The parts beside the codes as they are: a call keeps one part of a weight, and with it all that came from where it did.
        for (MemorySegment beside : w.parts().subList(1, w.parts().size())) {
            copy(Part.of(beside), w, beside.byteSize(), to -> to.copyFrom(beside)).ifPresent(parts::add);
        }
        return parts.size() == w.parts().size() ? Optional.of(copied(w, parts)) : Optional.empty();
    }

    @Override
    public synchronized Optional<Weight> made(Weight w, Making making) throws ExecutorException {
        Regrouping how = making.how();
        int lanes = making.lanes();
        int groups = how.groups(lanes);
        long groupBytes = how.rowBytes() * lanes;
        Made what = new Made(w.parts().stream().map(Part::of).toList(), how, lanes);
        return copy(what, w, groupBytes * groups, to -> {
            inPieces(groups, Math.clamp(PIECE / groupBytes, 1, groups),
                    (from, end) -> making.make((int) from, (int) end, to, from * groupBytes));
            w.parts().forEach(LargePages::forget);
        }).map(copy -> copied(w, List.of(copy)));
    }

    /** The copy that {@code what} says all about, which {@code writer} fills if it is not there yet; empty where there is none. */
    private Optional<MemorySegment> copy(Record what, Weight w, long size, Consumer<MemorySegment> writer) throws ExecutorException {
        MemorySegment there = copies.get(what);
        if (there != null || !copying) {
            return Optional.ofNullable(there);
        }
        asked = true;
        MemorySegment room = room(w, size);
        writer.accept(room);
        MemorySegment copy = room.asReadOnly();
        copies.put(what, copy);
        fresh.add(what);
        return Optional.of(copy);
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

    /** Room for a copy. */
    private MemorySegment room(Weight w, long bytes) throws ExecutorException {
        long size = aligned(bytes);
        String what = "a copy of " + w.name();
        left = Math.max(0, left - size);
        if (size >= LARGE) {
            return memory.allocateLarge(what, size);
        }
        if (size > slab.byteSize()) {
            slab = memory.allocateLarge(what, Math.clamp(size + left, size, SLAB));
        }
        MemorySegment room = slab.asSlice(0, bytes);
        slab = slab.asSlice(size);
        return room;
    }

    private static long aligned(long bytes) {
        return (bytes + BufferPlan.ALIGNMENT - 1) / BufferPlan.ALIGNMENT * BufferPlan.ALIGNMENT;
    }

    /** Bytes of all copies. */
    long bytes() {
        return memories.stream().mapToLong(Memory::bytes).sum();
    }

    /** Waits for a preparation. */
    @Override
    public synchronized void close() {
        memories.forEach(Memory::close);
    }
}
