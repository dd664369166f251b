package poot.core.kernel.plan;

import java.util.List;
import java.util.Map;
import poot.api.graph.TensorType;

/**
 * What an entry does in a run, and the memory it needs.
 *
 * @param steps    in order
 * @param waits    of each step whether it must wait for all before it
 * @param bytes    of each area, which may be none
 * @param literals the contents of {@link Home.Area#LITERALS}
 * @param slots    where the host writes them
 * @param outputs  where the host reads them
 * @param states   the carried states a run must bring
 * @param checks   validations, where the host reads them
 */
public record Plan(List<Step> steps, List<Boolean> waits, Map<Home.Area, Long> bytes, byte[] literals, Map<String, Span> slots,
        Map<String, Span> outputs, Map<String, TensorType> states, List<Check> checks) {
    /** BOOL [rows] that must be true. */
    public record Check(String what, Span ok) {}

    public Plan {
        steps = List.copyOf(steps);
        waits = List.copyOf(waits);
        bytes = Map.copyOf(bytes);
        slots = Map.copyOf(slots);
        outputs = Map.copyOf(outputs);
        states = Map.copyOf(states);
        checks = List.copyOf(checks);
    }
}
