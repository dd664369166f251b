package poot.api.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;

/**
 * A carried state of a program.
 *
 * @param name   the state's name in a graph
 * @param extent what its first axis counts
 * @param unit   the shape of one unit
 */
public record StateSpec(String name, Extent extent, Shape unit) {
    /** What the first axis of a state counts. */
    public enum Extent {
        /** Cache slots, one position each, in the step's key/value form. */
        KV_SLOTS,
        /** Sequences, in F32: a recurrent state or a hidden-state carry. */
        SEQUENCES
    }

    public StateSpec {
        Objects.requireNonNull(name);
        Objects.requireNonNull(extent);
        Objects.requireNonNull(unit);
    }

    /**
     * The tensors it is at a step shape, by name: the state itself; or, cached as {@link KvForm#Q8_0}, {@code name.codes},
     * I32 [slots, .., D/4], and {@code name.scales}, F16 [slots, .., D/32].
     *
     * @throws IllegalArgumentException if {@code D} is not a multiple of {@link KvForm#GROUP} and must be
     */
    public SequencedMap<String, TensorType> types(StepShape s) {
        if (extent == Extent.SEQUENCES) {
            return sorted(Map.of(name, new TensorType(ElementType.F32, Shape.of(s.layout().sequences()).concat(unit))));
        }
        Shape slots = Shape.of(s.kvSlots());
        if (s.kv().plain().isPresent()) {
            return sorted(Map.of(name, new TensorType(s.kv().plain().get(), slots.concat(unit))));
        }
        int width = unit.dim(-1);
        if (width % KvForm.GROUP != 0) {
            throw new IllegalArgumentException("state " + name + " has " + width + " features a head, and a cache in " + s.kv()
                    + " takes a multiple of " + KvForm.GROUP + "; cache in F16, BF16 or F32");
        }
        Shape heads = slots.concat(unit.slice(0, unit.rank() - 1));
        return sorted(Map.of(codes(name), new TensorType(ElementType.I32, heads.concat(Shape.of(width / KvForm.CODES))),
                scales(name), new TensorType(ElementType.F16, heads.concat(Shape.of(width / KvForm.GROUP)))));
    }

    private static SequencedMap<String, TensorType> sorted(Map<String, TensorType> types) {
        return new TreeMap<>(types);
    }

    /** The names of {@link #types}, of any unit. */
    public List<String> names(KvForm form) {
        return extent == Extent.SEQUENCES || form.plain().isPresent() ? List.of(name) : List.of(codes(name), scales(name));
    }

    /** The name of a state's codes. */
    public static String codes(String state) {
        return state + ".codes";
    }

    /** The name of a state's scales. */
    public static String scales(String state) {
        return state + ".scales";
    }
}
