package poot.backend.cuda.device;

import java.lang.foreign.MemorySegment;
import poot.backend.cuda.ffi.CudaException;
import poot.backend.cuda.ffi.DriverMemory;
import poot.backend.cuda.ffi.DriverStream;

/**
 * Copies between the host's pageable memory and the device's through two pieces of pinned memory: while one is on its way,
 * the other is filled or emptied.
 */
final class Staging implements AutoCloseable {
    /** Bytes of one piece: long enough that starting a copy costs little of it. */
    static final long PIECE = 8L << 20;

    private final DriverStream stream;
    private final DriverMemory.Pinned[] pieces;
    private final DriverStream.Event[] done;

    private Staging(DriverStream stream, DriverMemory.Pinned[] pieces, DriverStream.Event[] done) {
        this.stream = stream;
        this.pieces = pieces;
        this.done = done;
    }

    /** Two pieces, for copies in {@code stream}. */
    static Staging create(DriverStream stream) throws CudaException {
        var pieces = new DriverMemory.Pinned[2];
        var done = new DriverStream.Event[2];
        Staging out = new Staging(stream, pieces, done);
        try {
            for (int i = 0; i < pieces.length; i++) {
                pieces[i] = DriverMemory.allocateHost(PIECE);
                done[i] = DriverStream.Event.create();
            }
            return out;
        } catch (CudaException e) {
            out.close();
            throw e;
        }
    }

    /** Writes {@code from} to a device address, and waits until it is there. */
    void upload(long to, MemorySegment from) throws CudaException {
        int turn = 0;
        for (long at = 0; at < from.byteSize(); at += PIECE, turn ^= 1) {
            long bytes = Math.min(PIECE, from.byteSize() - at);
            done[turn].await();
            MemorySegment.copy(from, at, pieces[turn].memory(), 0, bytes);
            stream.upload(to + at, pieces[turn].memory(), bytes);
            stream.mark(done[turn]);
        }
        stream.await();
    }

    /** Fills {@code to} from a device address. */
    void download(MemorySegment to, long from) throws CudaException {
        int turn = 0;
        for (long at = 0; at < to.byteSize(); at += PIECE, turn ^= 1) {
            begin(turn, from + at, Math.min(PIECE, to.byteSize() - at));
            if (at > 0) {
                finish(turn ^ 1, to, at - PIECE);
            }
        }
        if (to.byteSize() > 0) {
            finish(turn ^ 1, to, (to.byteSize() - 1) / PIECE * PIECE);
        }
    }

    private void begin(int turn, long from, long bytes) throws CudaException {
        stream.download(pieces[turn].memory(), from, bytes);
        stream.mark(done[turn]);
    }

    private void finish(int turn, MemorySegment to, long at) throws CudaException {
        done[turn].await();
        MemorySegment.copy(pieces[turn].memory(), 0, to, at, Math.min(PIECE, to.byteSize() - at));
    }

    @Override
    public void close() {
        for (int i = 0; i < pieces.length; i++) {
            if (pieces[i] != null) {
                DriverMemory.free(pieces[i]);
            }
            if (done[i] != null) {
                done[i].close();
            }
        }
    }
}
