package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.lang.foreign.MemorySegment;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import poot.api.executor.ExecutorException;

/**
 * Bytes between the host's memory and memory of the device that it cannot map: through two pieces of mapped memory by
 * turns, so that the host fills (or empties) one while the device empties (or fills) the other.
 */
final class Transfers implements AutoCloseable {
    /** Bytes of each piece. */
    static final long PIECE = 8L << 20;

    private final Submissions submissions;
    private final MemoryPool host;
    private final Slot[] slots = new Slot[2];

    Transfers(Submissions submissions, MemoryPool host) {
        this.submissions = submissions;
        this.host = host;
    }

    /** Mapped memory, and what last used it. */
    private static final class Slot {
        private final MemoryPool.Piece piece;
        private final MemorySegment memory;
        private final VkCommandBuffer commands;
        private long submission;

        Slot(MemoryPool.Piece piece, VkCommandBuffer commands) {
            this.piece = piece;
            this.memory = piece.mapped().orElseThrow();
            this.commands = commands;
        }
    }

    /** Writes all of {@code from}; whether it succeeds or not, nothing runs afterwards. */
    void upload(MemoryPool.Piece to, long offset, MemorySegment from, String what) throws ExecutorException {
        settled(what, () -> send(to, offset, from, what));
    }

    /** Fills all of {@code to}; whether it succeeds or not, nothing runs afterwards. */
    void download(MemoryPool.Piece from, long offset, MemorySegment to, String what) throws ExecutorException {
        settled(what, () -> fetch(from, offset, to, what));
    }

    /** Zeroes memory of the device. */
    void clear(MemoryPool.Piece piece, String what) throws ExecutorException {
        settled(what, () -> zero(piece, what));
    }

    /** What was submitted before a failure still uses memory that the caller will give back, and is waited for. */
    private void settled(String what, VulkanDevice.Work work) throws ExecutorException {
        try {
            work.run();
        } catch (ExecutorException e) {
            try {
                finish(what);
            } catch (ExecutorException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
    }

    private void send(MemoryPool.Piece to, long offset, MemorySegment from, String what) throws ExecutorException {
        int turn = 0;
        for (long done = 0; done < from.byteSize(); done += PIECE) {
            Slot slot = slot(turn++);
            submissions.await(slot.submission, what);
            long bytes = Math.min(PIECE, from.byteSize() - done);
            MemorySegment.copy(from, done, slot.memory, 0, bytes);
            copy(slot, slot.piece, 0, to, offset + done, bytes, what);
        }
        finish(what);
    }

    private void fetch(MemoryPool.Piece from, long offset, MemorySegment to, String what) throws ExecutorException {
        long pieces = (to.byteSize() + PIECE - 1) / PIECE;
        for (long n = 0; n <= pieces; n++) {
            if (n < pieces) {
                Slot slot = slot((int) (n & 1));
                copy(slot, from, offset + n * PIECE, slot.piece, 0, bytes(to, n), what);
            }
            if (n > 0) {
                Slot slot = slot((int) (n - 1 & 1));
                submissions.await(slot.submission, what);
                MemorySegment.copy(slot.memory, 0, to, (n - 1) * PIECE, bytes(to, n - 1));
            }
        }
    }

    private static long bytes(MemorySegment all, long piece) {
        return Math.min(PIECE, all.byteSize() - piece * PIECE);
    }

    private void zero(MemoryPool.Piece piece, String what) throws ExecutorException {
        Slot slot = slot(0);
        submissions.await(slot.submission, what);
        submissions.begin(slot.commands);
        vkCmdFillBuffer(slot.commands, piece.block().buffer(), piece.bufferOffset(), piece.reserved(), 0);
        run(slot, what);
        finish(what);
    }

    private void copy(Slot slot, MemoryPool.Piece from, long fromOffset, MemoryPool.Piece to, long toOffset, long bytes, String what)
            throws ExecutorException {
        submissions.begin(slot.commands);
        record(slot.commands, from, fromOffset, to, toOffset, bytes);
        run(slot, what);
    }

    /** Adds a copy to a command buffer. */
    static void record(VkCommandBuffer commands, MemoryPool.Piece from, long fromOffset, MemoryPool.Piece to, long toOffset, long bytes) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var region = VkBufferCopy.calloc(1, stack);
            region.get(0).srcOffset(from.bufferOffset() + fromOffset).dstOffset(to.bufferOffset() + toOffset).size(bytes);
            vkCmdCopyBuffer(commands, from.block().buffer(), to.block().buffer(), region);
        }
    }

    private void run(Slot slot, String what) throws ExecutorException {
        Submissions.end(slot.commands);
        slot.submission = submissions.submit(slot.commands, what);
    }

    private void finish(String what) throws ExecutorException {
        for (Slot slot : slots) {
            if (slot != null) {
                submissions.await(slot.submission, what);
            }
        }
    }

    private Slot slot(int turn) throws ExecutorException {
        int n = turn & 1;
        if (slots[n] == null) {
            MemoryPool.Piece piece = host.allocate("moving bytes to and from the device", PIECE);
            try {
                slots[n] = new Slot(piece, submissions.fresh());
            } catch (ExecutorException e) {
                host.free(piece);
                throw e;
            }
        }
        return slots[n];
    }

    /** Gives the mapped memory back; nothing may run. */
    @Override
    public void close() {
        for (Slot slot : slots) {
            if (slot != null) {
                host.free(slot.piece);
            }
        }
    }
}
