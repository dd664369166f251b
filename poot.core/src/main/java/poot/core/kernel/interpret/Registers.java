package poot.core.kernel.interpret;

import poot.core.kernel.ir.Block;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * The registers of a workgroup: of each scalar 32 bits a thread, of each buffer an address and its parameter a thread,
 * of each fragment 256 elements a subgroup.
 */
final class Registers {
    private final int threads;
    private final int subgroups;
    private final int[][] words;
    private final long[][] addresses;
    private final int[][][] fragments;

    Registers(DeviceKernel kernel) {
        int most = kernel.params().stream().mapToInt(p -> p.reg().id()).max().orElse(0);
        int count = Math.max(most, highest(kernel.body())) + 1;
        threads = kernel.workgroup();
        subgroups = threads / kernel.subgroup();
        words = new int[count][];
        addresses = new long[count][];
        fragments = new int[count][][];
    }

    private static int highest(Block b) {
        int out = 0;
        for (Instruction i : b.instructions()) {
            for (Reg r : i.results()) {
                out = Math.max(out, r.id());
            }
            switch (i) {
                case Instruction.For f -> {
                    out = Math.max(out, f.variable().id());
                    for (Reg r : f.carried()) {
                        out = Math.max(out, r.id());
                    }
                }
                case Instruction.While w -> {
                    for (Reg r : w.carried()) {
                        out = Math.max(out, r.id());
                    }
                }
                default -> { }
            }
            for (Block inner : i.blocks()) {
                out = Math.max(out, highest(inner));
            }
        }
        return out;
    }

    /** A scalar's bits, one a thread; of a buffer the parameter that it came from. */
    int[] words(Reg r) {
        int[] out = words[r.id()];
        if (out == null) {
            out = new int[threads];
            words[r.id()] = out;
        }
        return out;
    }

    /** A buffer's addresses, one a thread. */
    long[] addresses(Reg r) {
        long[] out = addresses[r.id()];
        if (out == null) {
            out = new long[threads];
            addresses[r.id()] = out;
        }
        return out;
    }

    /** A fragment's elements as bits of F32 or I32, row by row, one matrix a subgroup. */
    int[][] fragment(Reg r) {
        int[][] out = fragments[r.id()];
        if (out == null) {
            out = new int[subgroups][Fragment.SIZE * Fragment.SIZE];
            fragments[r.id()] = out;
        }
        return out;
    }

    /** What some threads hold in one register, apart from it. */
    record Held(int[] words, long[] addresses, int[][] fragment) {}

    /** Takes a copy of a register. */
    Held take(Reg r) {
        if (r.type() instanceof Fragment) {
            int[][] from = fragment(r);
            int[][] out = new int[subgroups][];
            for (int s = 0; s < subgroups; s++) {
                out[s] = from[s].clone();
            }
            return new Held(null, null, out);
        }
        return new Held(words(r).clone(), r.type() == ScalarType.BUFFER ? addresses(r).clone() : null, null);
    }

    /** Gives threads in {@code lanes} what {@link #take} took. */
    void give(Reg r, Held held, int[] lanes) {
        if (held.fragment() != null) {
            int[][] to = fragment(r);
            for (int t : lanes) {
                int s = t / (threads / subgroups);
                to[s] = held.fragment()[s];
            }
            return;
        }
        int[] to = words(r);
        for (int t : lanes) {
            to[t] = held.words()[t];
        }
        if (held.addresses() != null) {
            long[] toAddresses = addresses(r);
            for (int t : lanes) {
                toAddresses[t] = held.addresses()[t];
            }
        }
    }
}
