package poot.core.engine;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts since an engine started.
 *
 * @param submitted   requests accepted
 * @param started     requests that were in a step
 * @param ends        requests ended without a fault, by reason; each reason is there
 * @param failed      requests ended by a fault
 * @param prompt      prompt tokens of the requests started
 * @param reused      of those, found in the prefix cache
 * @param generated   tokens chosen and handed out
 * @param fed         tokens fed, those fed again after a suspension counted again
 * @param steps       steps made
 * @param preemptions times a request's blocks were taken back
 * @param encoded     rows encoded
 */
public record EngineTotals(long submitted, long started, Map<End, Long> ends, long failed, long prompt, long reused,
        long generated, long fed, long steps, long preemptions, long encoded) {
    public EngineTotals {
        Map<End, Long> all = new EnumMap<>(End.class);
        for (End e : End.values()) {
            all.put(e, ends.getOrDefault(e, 0L));
        }
        ends = Collections.unmodifiableMap(all);
    }
}
