package poot.serve.openai;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.core.engine.EngineException;
import poot.core.engine.SubmitException;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;

/** Rows through the engine's encode pass, waited for; a client that goes gives them up. */
final class Encodings {
    private Encodings() {}

    /** What the pass gives for each row; {@code field} holds them, for messages. */
    static List<EncodeResult> of(Served served, List<EncodeRow> rows, String field, Client client)
            throws ApiException, InterruptedException {
        int limit = served.engine().driverOptions().passes().encodeTokens();
        for (int i = 0; i < rows.size(); i++) {
            int tokens = rows.get(i).ids().length;
            if (tokens > limit) {
                throw new ApiException(new ApiFault.PromptTooLong(rows.size() == 1 ? field : field + "[" + i + "]", tokens, limit));
            }
        }
        try {
            CompletableFuture<List<EncodeResult>> pending = served.engine().encode(rows);
            client.whenGone(() -> pending.cancel(false));
            return pending.get();
        } catch (SubmitException e) {
            throw new ApiException(EngineFaults.of(e.fault(), field), e);
        } catch (CancellationException e) {
            throw new ApiException(new ApiFault.NotServing("the client went before the answer"), e);
        } catch (ExecutionException e) {
            throw failed(e, field);
        }
    }

    private static ApiException failed(ExecutionException e, String field) {
        ApiFault fault = e.getCause() instanceof EngineException x ? EngineFaults.of(x.fault(), field)
                : new ApiFault.Internal("the encode pass broke: " + e.getCause());
        return new ApiException(fault, e);
    }
}
