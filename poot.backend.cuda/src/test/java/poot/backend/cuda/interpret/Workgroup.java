package poot.backend.cuda.interpret;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A block while it runs: its place, its shared memory, its warps. */
final class Workgroup {
    final byte[] shared;
    final MemorySegment params;
    final DeviceSpace space;
    final int gridX;
    final int gridY;
    final int gridZ;
    final Warp[] warps;
    int x;
    int y;
    int z;

    Workgroup(PtxProgram program, DeviceSpace space, MemorySegment params, int gridX, int gridY, int gridZ, int sharedBytes) {
        this.space = space;
        this.params = params;
        this.gridX = gridX;
        this.gridY = gridY;
        this.gridZ = gridZ;
        shared = new byte[program.sharedBytes(sharedBytes)];
        warps = new Warp[program.threads() / Warp.LANES];
        for (int i = 0; i < warps.length; i++) {
            warps[i] = new Warp(program, this, i);
        }
    }

    void begin(int bx, int by, int bz) {
        x = bx;
        y = by;
        z = bz;
        Arrays.fill(shared, (byte) -1);
        for (Warp w : warps) {
            w.begin();
        }
    }
}
