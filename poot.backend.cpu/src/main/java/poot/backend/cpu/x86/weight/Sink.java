package poot.backend.cpu.x86.weight;

/** Takes decoded weights while code is written: into sums, or into a panel. Groups count within a step. */
public interface Sink {
    /** Before the first unit of a group. */
    void begin(int group);

    /** Register {@code weights} holds unit {@code unit} of a group, a weight row in every lane. */
    void unit(int group, int unit, int weights);

    /** After the last unit: registers of the group's scales and minimums; -1 where there are none. */
    void end(int group, int scales, int minimums);
}
