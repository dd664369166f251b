package poot.backend.cpu.prepare;

import java.util.List;
import java.util.Map;
import poot.api.graph.TensorType;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;

/**
 * A program ready to run.
 *
 * @param steps       in order
 * @param inputs      by slot
 * @param outputs     by name
 * @param states      by name; their regions are bound before each run
 * @param validations checked after the steps
 * @param heapBytes   heap held for scratch
 */
public record Prepared(
        List<Step> steps, Map<String, Bound> inputs, Map<String, Bound> outputs, Map<String, Bound> states,
        List<Check> validations, long heapBytes) {
    /** A region and the type of what lies there. */
    public record Bound(Region region, TensorType type) {}

    /** BOOL [rows] that must be true. */
    public record Check(String what, Region ok, int rows) {}

    public Prepared {
        steps = List.copyOf(steps);
        inputs = Map.copyOf(inputs);
        outputs = Map.copyOf(outputs);
        states = Map.copyOf(states);
        validations = List.copyOf(validations);
    }
}
