package poot.backend.cpu.kernel.weight;

import java.lang.foreign.MemorySegment;

/** IEEE binary32: 4 bytes an element. */
final class DenseF32 implements BlockKernel {
    @Override
    public float dot(MemorySegment w, long at, int n, MemorySegment x, long xAt, MemorySegment sums, long sumsAt) {
        return Dense.dot(w, at, x, xAt, n);
    }

    @Override
    public void decode(MemorySegment w, long at, int n, MemorySegment out, long to) {
        MemorySegment.copy(w, at, out, to, 4L * n);
    }

    @Override
    public boolean readsSums() {
        return false;
    }
}
