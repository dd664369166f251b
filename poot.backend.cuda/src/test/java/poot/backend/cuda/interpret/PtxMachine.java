package poot.backend.cuda.interpret;

import java.lang.foreign.MemorySegment;

/** Runs launches: blocks one after another, in a block each warp up to the next barrier, forwards and backwards in turn. */
public final class PtxMachine {
    /** Instructions of one warp between two barriers, beyond which it is taken to hang. */
    private static final long LONGEST = 200_000_000L;

    private final DeviceSpace space;
    private boolean backwards;
    private long instructions;

    public PtxMachine(DeviceSpace space) {
        this.space = space;
    }

    /** Instructions of warps run so far. */
    public long instructions() {
        return instructions;
    }

    /**
     * Runs a kernel over a grid.
     *
     * @param params packed at the program's offsets
     * @param sharedBytes what the launch asks for
     * @throws PtxFault if a lane does what a device would not stand
     */
    public void launch(PtxProgram program, int gridX, int gridY, int gridZ, int threads, int sharedBytes, MemorySegment params) {
        if (threads != program.threads() || threads % Warp.LANES != 0) {
            throw new PtxFault(program.entry() + " launched with " + threads + " threads and made for " + program.threads());
        }
        Workgroup group = new Workgroup(program, space, params, gridX, gridY, gridZ, sharedBytes);
        long blocks = (long) gridX * gridY * gridZ;
        backwards = !backwards;
        for (long i = 0; i < blocks; i++) {
            long b = backwards ? blocks - 1 - i : i;
            group.begin((int) (b % gridX), (int) (b / gridX % gridY), (int) (b / gridX / gridY));
            run(program, group);
        }
    }

    private void run(PtxProgram program, Workgroup group) {
        int n = group.warps.length;
        boolean turn = backwards;
        while (true) {
            int ended = 0;
            for (int i = 0; i < n; i++) {
                Warp w = group.warps[turn ? n - 1 - i : i];
                ended += run(program, w) == Step.Kind.END ? 1 : 0;
            }
            if (ended == n) {
                return;
            }
            if (ended != 0) {
                throw new PtxFault(program.entry() + ": " + ended + " of " + n + " warps end where the others wait at a barrier");
            }
            turn = !turn;
        }
    }

    /** Runs a warp to the next barrier, or to the end. */
    private Step.Kind run(PtxProgram program, Warp w) {
        Step[] steps = program.steps();
        long count = 0;
        while (true) {
            w.meet();
            Step s = steps[w.pc];
            if (++count > LONGEST) {
                throw new PtxFault(program.text(w.pc) + ": does not end");
            }
            try {
                s.run(w);
            } catch (PtxFault e) {
                throw new PtxFault(program.text(w.pc) + ": " + e.getMessage());
            } catch (IndexOutOfBoundsException e) {
                PtxFault f = new PtxFault(program.text(w.pc) + ": " + e.getMessage());
                f.initCause(e);
                throw f;
            }
            Step.Kind kind = s.kind();
            if (kind == Step.Kind.NEXT) {
                w.pc++;
            } else if (kind != Step.Kind.BRANCH) {
                if (!w.isWhole()) {
                    throw new PtxFault(program.text(w.pc) + ": not all lanes arrive, only " + Integer.toHexString(w.mask));
                }
                w.pc++;
                instructions += count;
                return kind;
            }
        }
    }
}
