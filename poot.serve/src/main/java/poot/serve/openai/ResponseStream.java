package poot.serve.openai;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import poot.core.engine.Piece;
import poot.core.engine.Usage;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.fault.ErrorAnswer;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ObjectNode;

/** One response, as events or as a whole. */
final class ResponseStream implements Answer.Events {
    private final Replies replies;
    private final ChatChoice choice;
    private final ObjectNode frame;
    private final Duration beat;

    /**
     * A response.
     *
     * @param frame what it repeats of its request
     */
    ResponseStream(Replies replies, ChatChoice choice, ObjectNode frame, Duration beat) {
        this.replies = replies;
        this.choice = choice;
        this.frame = frame;
        this.beat = beat;
    }

    /** How a reply ended. */
    private record Outcome(String reason, Usage usage, long reasoning) {}

    /** The whole response; nothing is sent, so nothing fails to be. */
    ObjectNode whole() throws IOException, InterruptedException, ApiException {
        ResponseOutput output = new ResponseOutput(new Nowhere());
        Outcome outcome = read(output, Duration.ofMinutes(1), new Nowhere());
        return response(output, outcome);
    }

    @Override
    public void send(Sink sink) throws IOException, InterruptedException {
        ResponseOutput output = new ResponseOutput(sink);
        output.event("response.created", JsonText.object().set("response", begun()));
        output.event("response.in_progress", JsonText.object().set("response", begun()));
        try {
            Outcome outcome = read(output, beat, sink);
            ObjectNode whole = response(output, outcome);
            output.event("response." + whole.get("status").stringValue(), JsonText.object().set("response", whole));
        } catch (ApiException e) {
            ObjectNode failed = begun().put("status", "failed");
            ErrorAnswer error = ErrorAnswer.of(e.fault());
            failed.putObject("error").put("code", error.code()).put("message", error.message());
            output.event("response.failed", JsonText.object().set("response", failed));
        }
    }

    private Outcome read(ResponseOutput output, Duration atMost, Sink sink) throws IOException, InterruptedException, ApiException {
        boolean[] over = new boolean[1];
        long reasoning = 0;
        while (true) {
            Optional<Replies.Taken> taken = replies.next(over, atMost);
            if (taken.isEmpty()) {
                sink.beat();
                continue;
            }
            switch (taken.get().piece()) {
                case Piece.Text t -> {
                    List<Delta> deltas = choice.text(t);
                    reasoning += !deltas.isEmpty() && deltas.stream().allMatch(d -> d instanceof Delta.Reasoning) ? t.tokens().size() : 0;
                    add(output, deltas);
                    if (choice.satisfied()) {
                        replies.cancel(0);
                    }
                }
                case Piece.Done d -> {
                    Finishes.requireWhole(d);
                    List<Delta> last = choice.done(d);
                    add(output, last);
                    String reason = last.getLast() instanceof Delta.Finish f ? f.reason() : "stop";
                    return new Outcome(reason, d.usage(), reasoning);
                }
                case Piece.Failed f -> throw new ApiException(failed(f));
            }
        }
    }

    private static ApiFault failed(Piece.Failed f) {
        return EngineFaults.of(f.fault(), "input");
    }

    private static void add(ResponseOutput output, List<Delta> deltas) throws IOException {
        for (Delta d : deltas) {
            output.add(d);
        }
    }

    private ObjectNode begun() {
        ObjectNode out = frame.deepCopy().put("status", "in_progress");
        out.putNull("error").putNull("incomplete_details").putNull("usage");
        out.putArray("output");
        return out;
    }

    private ObjectNode response(ResponseOutput output, Outcome outcome) {
        boolean cut = outcome.reason().equals("length");
        ObjectNode out = frame.deepCopy().put("status", cut ? "incomplete" : "completed");
        out.putNull("error").putNull("incomplete_details");
        if (cut) {
            out.putObject("incomplete_details").put("reason", "max_output_tokens");
        }
        out.set("output", output.items());
        Usage u = outcome.usage();
        ObjectNode usage = out.putObject("usage").put("input_tokens", u.prompt()).put("output_tokens", u.generated())
                .put("total_tokens", u.prompt() + u.generated());
        usage.putObject("input_tokens_details").put("cached_tokens", u.reused());
        usage.putObject("output_tokens_details").put("reasoning_tokens", outcome.reasoning());
        return out;
    }

    @Override
    public void close() {
        replies.close();
    }

    /** Takes events nobody asked for. */
    private static final class Nowhere implements Sink {
        @Override
        public void event(String name, ObjectNode data) {}

        @Override
        public void done() {}

        @Override
        public void beat() {}
    }
}
