package poot.core.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import poot.api.driver.AdmitException;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.ServingDriver;

/** Encodes waiting rows in parts, so that no step waits long for them. Requests are served in order, small ones together. */
final class Encodes {
    private final ServingDriver driver;
    private final Intake intake;
    private final Ledger ledger;
    private final LongSupplier clock;

    Encodes(ServingDriver driver, Intake intake, Ledger ledger, LongSupplier clock) {
        this.driver = driver;
        this.intake = intake;
        this.ledger = ledger;
        this.clock = clock;
    }

    /** Encodes the rows waiting longest, of about {@code tokens} tokens in all; at least one where any waits. */
    void run(int tokens) {
        Map<EncodeJob, List<EncodeRow>> parts = new LinkedHashMap<>();
        int left = tokens;
        for (EncodeJob job : intake.encodes()) {
            if (left <= 0) {
                break;
            }
            List<EncodeRow> part = new ArrayList<>();
            for (EncodeRow row : job.left()) {
                if (left <= 0) {
                    break;
                }
                part.add(row);
                left -= row.ids().length;
            }
            if (!part.isEmpty()) {
                parts.put(job, part);
            }
        }
        if (!parts.isEmpty()) {
            encode(parts);
        }
    }

    private void encode(Map<EncodeJob, List<EncodeRow>> parts) {
        List<EncodeRow> rows = parts.values().stream().flatMap(List::stream).toList();
        long from = clock.getAsLong();
        try {
            List<EncodeResult> results = driver.encode(rows);
            int at = 0;
            for (Map.Entry<EncodeJob, List<EncodeRow>> part : parts.entrySet()) {
                part.getKey().add(results.subList(at, at + part.getValue().size()));
                at += part.getValue().size();
            }
            ledger.encoded(rows.size(), Duration.ofNanos(clock.getAsLong() - from));
        } catch (AdmitException e) {
            if (parts.size() == 1) {
                parts.keySet().iterator().next().fail(new EngineFault.Refused(e.fault()));
            } else { // one of them is refused: each for itself
                parts.forEach((job, part) -> encode(Map.of(job, part)));
            }
        }
    }
}
