package poot.backend.cpu.x86.weight;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;

/** The inputs of a weight, those of one group of scales after those of the group before: within a group in their own order. */
public final class InputOrder {
    private final int[] inputs;
    private final int hash;

    private InputOrder(int[] inputs) {
        this.inputs = inputs;
        this.hash = Arrays.hashCode(inputs);
    }

    /**
     * The order that sorts inputs by the groups they are said to be of.
     *
     * @param groups I32 [count] from byte {@code at} on, the group of each input
     * @param shared inputs of a group; of the last there may be fewer
     * @return empty if a group has not as many inputs
     */
    static Optional<InputOrder> of(MemorySegment groups, long at, int count, long shared) {
        int[] next = new int[Math.toIntExact(Math.ceilDiv(count, shared))];
        for (int g = 0; g < next.length; g++) {
            next[g] = Math.toIntExact(g * shared);
        }
        int[] inputs = new int[count];
        for (int i = 0; i < count; i++) {
            int g = groups.get(ValueLayout.JAVA_INT_UNALIGNED, at + 4L * i);
            if (g < 0 || g >= next.length || next[g] >= Math.min(count, (g + 1) * shared)) {
                return Optional.empty();
            }
            inputs[next[g]++] = i;
        }
        return Optional.of(new InputOrder(inputs));
    }

    /** Whether it is that of the inputs themselves. */
    boolean isNatural() {
        for (int i = 0; i < inputs.length; i++) {
            if (inputs[i] != i) {
                return false;
            }
        }
        return true;
    }

    /** How many inputs there are. */
    int count() {
        return inputs.length;
    }

    /** The input at a place. */
    public int at(int place) {
        return inputs[place];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InputOrder o && Arrays.equals(inputs, o.inputs);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
