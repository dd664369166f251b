package poot.backend.cpu.x86.weight;

/** Takes decoded weights while code is written: into sums, or into a panel. Groups count within a step. */
public interface Sink {
    /** Before the first unit of a group. */
    void begin(int group);

    /** Register {@code weights} holds unit {@code unit} of a group, a weight row in every lane. */
    void unit(int group, int unit, int weights);

    /** Whether codes may be given by {@link #four} instead, which is less work for both. */
    default boolean fours() {
        return false;
    }

    /** Register {@code codes} holds elements 4 · {@code index} on of a group, four bytes of 0 to 127 in every lane. */
    default void four(int group, int index, int codes) {
        throw new IllegalStateException("group " + group + " is taken in units");
    }

    /** Whether groups are to be given by {@link #whole} alone. */
    default boolean wholes() {
        return false;
    }

    /** Registers {@code first} on hold the codes of a group, four bytes in every lane of each; {@code scales} its scales. */
    default void whole(int group, int first, int scales) {
        throw new IllegalStateException("group " + group + " is taken in units");
    }

    /** After the last unit: registers of the group's scales and minimums; -1 where there are none. */
    void end(int group, int scales, int minimums);
}
