package poot.backend.cuda.interpret;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** 32 lanes: their registers, which of them run, and where the others wait. */
final class Warp {
    static final int LANES = 32;
    static final int ALL = -1;

    final int[][] words;
    final float[][] floats;
    final long[][] addresses;
    final int[][] halves;
    /** A bit a lane. */
    final int[] predicates;
    final int[] word = new int[LANES];
    final float[] real = new float[LANES];
    final long[] address = new long[LANES];
    final Workgroup group;
    final int index;

    /** The lanes that run. */
    int mask;
    int pc;
    private int waiting;
    private final int[] waitingPc = new int[LANES];
    private final int[] waitingMask = new int[LANES];
    private int nearest;

    /** Copies begun and not yet seen, a list for each group. */
    final ArrayDeque<List<Copy>> copies = new ArrayDeque<>();
    List<Copy> begun = new ArrayList<>();

    /** A copy to shared memory that is still on its way. */
    record Copy(int to, long from, int bytes) {}

    Warp(PtxProgram program, Workgroup group, int index) {
        this.group = group;
        this.index = index;
        words = new int[program.count("%r")][LANES];
        floats = new float[program.count("%f")][LANES];
        addresses = new long[program.count("%rd")][LANES];
        halves = new int[program.count("%h")][LANES];
        predicates = new int[program.count("%p")];
    }

    /** Ready for another workgroup: nothing is left of the one before. */
    void begin() {
        mask = ALL;
        pc = 0;
        waiting = 0;
        copies.clear();
        begun = new ArrayList<>();
        for (int[] w : words) {
            Arrays.fill(w, 0xffffdead);
        }
        for (float[] f : floats) {
            Arrays.fill(f, Float.NaN);
        }
        for (long[] a : addresses) {
            Arrays.fill(a, 0xdeadL);
        }
    }

    boolean isWhole() {
        return waiting == 0 && mask == ALL;
    }

    /** Lets the lanes of {@code taken} go on at {@code target}, the others at {@code next}: whoever is behind goes first. */
    void part(int taken, int target, int next) {
        if (taken == mask) {
            pc = target;
            return;
        }
        if (taken == 0) {
            pc = next;
            return;
        }
        hold(target, taken);
        mask &= ~taken;
        pc = next;
    }

    private void hold(int at, int lanes) {
        for (int i = 0; i < waiting; i++) {
            if (waitingPc[i] == at) {
                waitingMask[i] |= lanes;
                return;
            }
        }
        waitingPc[waiting] = at;
        waitingMask[waiting++] = lanes;
        nearest = waiting == 1 ? at : Math.min(nearest, at);
    }

    /** Joins or changes to lanes that wait no further on than the running ones are. */
    void meet() {
        if (waiting == 0 || nearest > pc) {
            return;
        }
        if (nearest < pc) {
            hold(pc, mask);
            mask = 0;
            pc = nearest;
        }
        int kept = 0;
        nearest = Integer.MAX_VALUE;
        for (int i = 0; i < waiting; i++) {
            if (waitingPc[i] == pc) {
                mask |= waitingMask[i];
            } else {
                waitingPc[kept] = waitingPc[i];
                waitingMask[kept++] = waitingMask[i];
                nearest = Math.min(nearest, waitingPc[i]);
            }
        }
        waiting = kept;
    }

    /** Puts what was computed for all lanes into those that run. */
    void keep(int[] to, int[] from) {
        for (int l = 0, m = mask; l < LANES; l++, m >>>= 1) {
            if ((m & 1) != 0) {
                to[l] = from[l];
            }
        }
    }

    void keep(float[] to, float[] from) {
        for (int l = 0, m = mask; l < LANES; l++, m >>>= 1) {
            if ((m & 1) != 0) {
                to[l] = from[l];
            }
        }
    }

    void keep(long[] to, long[] from) {
        for (int l = 0, m = mask; l < LANES; l++, m >>>= 1) {
            if ((m & 1) != 0) {
                to[l] = from[l];
            }
        }
    }

    void keep(int predicate, int bits) {
        predicates[predicate] = predicates[predicate] & ~mask | bits & mask;
    }
}
