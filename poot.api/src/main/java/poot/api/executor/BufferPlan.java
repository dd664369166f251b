package poot.api.executor;

import java.util.Map;

/**
 * Where every value of a program lies. Offsets are in one arena; places whose lives do not meet share bytes.
 *
 * @param places     by value id
 * @param arenaBytes size of the arena
 */
public record BufferPlan(Map<Integer, Place> places, long arenaBytes) {
    /** Alignment of every arena offset, in bytes. */
    public static final int ALIGNMENT = 64;

    /** Where one value lies. */
    public sealed interface Place {
        /** In the arena, dense row-major. */
        record Arena(long offset, long bytes) implements Place {}

        /** The stored weight itself. */
        record WeightBytes() implements Place {}

        /** The step's input buffer of a slot. */
        record SlotBytes(String slot) implements Place {}

        /** The buffer of a carried state, updated in place. */
        record StateBytes(String state) implements Place {}

        /** Literal data kept by the entry. */
        record LiteralBytes() implements Place {}

        /** The same bytes as another value: a reshape. */
        record SameAs(int value) implements Place {}

        /** Inside its kernel only; no memory is set aside for it. */
        record Internal() implements Place {}
    }

    public BufferPlan {
        places = Map.copyOf(places);
    }
}
