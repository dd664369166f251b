package poot.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;

/** Rows to encode, done in parts between steps. */
final class EncodeJob {
    private final List<EncodeRow> rows;
    private final List<EncodeResult> results = new ArrayList<>();
    private final CompletableFuture<List<EncodeResult>> future = new CompletableFuture<>();

    EncodeJob(List<EncodeRow> rows) {
        this.rows = List.copyOf(rows);
    }

    CompletableFuture<List<EncodeResult>> future() {
        return future;
    }

    int size() {
        return rows.size();
    }

    /** Rows not encoded yet. */
    List<EncodeRow> left() {
        return rows.subList(results.size(), rows.size());
    }

    /** Takes the results of the next rows. */
    void add(List<EncodeResult> more) {
        results.addAll(more);
        if (results.size() == rows.size()) {
            future.complete(List.copyOf(results));
        }
    }

    void fail(EngineFault fault) {
        future.completeExceptionally(new EngineException(fault));
    }
}
