package poot.backend.vulkan.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceMemory;
import poot.core.kernel.device.HostBuffer;

/** A piece of a device's memory with a name, until it is closed. */
final class VulkanMemory {
    private final VulkanDevice owner;
    private final MemoryPool pool;
    private final MemoryPool.Piece piece;
    private final String what;
    private final Optional<Arena> view;
    private boolean closed;

    /** @param view how long the host's view of it may be used; empty where the host has none */
    VulkanMemory(VulkanDevice owner, MemoryPool pool, MemoryPool.Piece piece, String what, Optional<Arena> view) {
        this.owner = owner;
        this.pool = pool;
        this.piece = piece;
        this.what = what;
        this.view = view;
    }

    /** Memory that the host maps: once it is closed, or its device, using the host's view throws. */
    @SuppressWarnings("restricted") // The piece is mapped as long as the view lives.
    static OnHost onHost(VulkanDevice owner, MemoryPool pool, MemoryPool.Piece piece, String what) {
        Arena view = Arena.ofShared();
        MemorySegment memory = MemorySegment.ofAddress(piece.mapped().orElseThrow().address()).reinterpret(piece.bytes(), view, null);
        return new OnHost(new VulkanMemory(owner, pool, piece, what, Optional.of(view)), memory.fill((byte) 0));
    }

    MemoryPool.Piece piece() {
        return piece;
    }

    Optional<MemorySegment> mapped() {
        return piece.mapped();
    }

    /** Gives it back, if it is not yet. */
    void close() {
        if (!closed) {
            closed = true;
            view.ifPresent(Arena::close);
            if (owner.isOpen()) {
                owner.forget(this);
                pool.free(piece);
            }
        }
    }

    /**
     * What {@code memory} is on {@code device}.
     *
     * @throws ExecutorException Mismatch if it is closed, or of another device
     */
    static VulkanMemory of(DeviceMemory memory, VulkanDevice device) throws ExecutorException {
        VulkanMemory found = switch (memory) {
            case OnDevice d -> d.memory;
            case OnHost h -> h.owner;
            default -> null;
        };
        if (found == null || found.owner != device) {
            throw new ExecutorException(new Mismatch("memory " + memory.what() + " is of another device: allocate it on this one"));
        }
        if (found.closed) {
            throw new ExecutorException(new Mismatch("memory " + memory.what() + " is closed: keep it open while it is used"));
        }
        return found;
    }

    /** Memory of the device. */
    record OnDevice(VulkanMemory memory) implements DeviceBuffer {
        @Override
        public String what() {
            return memory.what;
        }

        @Override
        public long address() {
            return memory.piece.address();
        }

        @Override
        public long bytes() {
            return memory.piece.bytes();
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    /** Memory that the host maps. */
    record OnHost(VulkanMemory owner, MemorySegment memory) implements HostBuffer {
        @Override
        public String what() {
            return owner.what;
        }

        @Override
        public long address() {
            return owner.piece.address();
        }

        @Override
        public long bytes() {
            return owner.piece.bytes();
        }

        @Override
        public void close() {
            owner.close();
        }
    }
}
