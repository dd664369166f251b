package poot.serve.openai;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SeqRequest;
import poot.api.model.TextCodec;
import poot.core.engine.Bell;
import poot.core.engine.Piece;
import poot.core.engine.SubmitException;
import poot.core.engine.TextReply;
import poot.core.engine.TextRules;
import poot.core.engine.Ticket;
import poot.serve.fault.ApiException;

/** The choices of one request in the engine's hands, prompt by prompt. For one thread; closing cancels what still runs. */
final class Replies implements AutoCloseable {
    private final List<TextReply> all;
    /** Rung when any choice has something. */
    private final Bell bell = new Bell();
    private int turn;

    private Replies(List<TextReply> all) {
        this.all = all;
        all.forEach(r -> r.ticket().hang(bell));
    }

    /** A piece and the choice it belongs to. */
    record Taken(int choice, Piece piece) {}

    /**
     * Submits every choice.
     *
     * @param stream makes a detokenizer, one a choice, of what follows a prompt
     * @throws ApiException if one is not accepted; those that were are cancelled
     */
    static Replies open(Served served, Ask ask, Function<int[], TextCodec.Stream> stream, Client client) throws ApiException {
        List<Ticket> tickets = new ArrayList<>();
        boolean open = false;
        try {
            for (int[] prompt : ask.prompts()) {
                for (int c = 0; c < ask.choices(); c++) {
                    tickets.add(submit(served, ask, prompt, c));
                }
            }
            TextRules rules = TextRules.PLAIN.withStops(ask.stops());
            List<TextReply> replies = new ArrayList<>();
            for (int i = 0; i < tickets.size(); i++) {
                replies.add(TextReply.of(tickets.get(i), stream.apply(ask.prompts().get(i / ask.choices())), rules));
            }
            client.whenGone(() -> tickets.forEach(Ticket::cancel));
            open = true;
            return new Replies(replies);
        } finally {
            if (!open) {
                tickets.forEach(Ticket::cancel);
            }
        }
    }

    private static Ticket submit(Served served, Ask ask, int[] prompt, int choice) throws ApiException {
        int room = Math.max(1, served.capacity() - prompt.length);
        GenerateLimits limits = new GenerateLimits(Math.min(ask.tokens(), room), ask.stopIds());
        try {
            return served.engine().submit(SeqRequest.of(prompt).withSampling(Sampling.choice(ask.sampling(), choice)), limits);
        } catch (SubmitException e) {
            throw new ApiException(EngineFaults.of(e.fault(), ask.field()), e);
        }
    }

    /** How many. */
    int size() {
        return all.size();
    }

    /** Tokens of a choice's prompt. */
    int prompt(int choice) {
        return all.get(choice).ticket().prompt();
    }

    /** Ends a choice. */
    void cancel(int choice) {
        all.get(choice).cancel();
    }

    /** The next piece of one choice. */
    Piece next(int choice) throws InterruptedException, ApiException {
        while (true) {
            Optional<Piece> piece = all.get(choice).next(Duration.ofMinutes(1));
            if (piece.isPresent()) {
                return piece.get();
            }
        }
    }

    /** The next piece of any choice still open, or nothing within {@code atMost}. */
    Optional<Taken> next(boolean[] over, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            for (int i = 0; i < all.size(); i++) {
                int choice = (turn + i) % all.size();
                if (!over[choice]) {
                    Optional<Piece> piece = all.get(choice).next(Duration.ZERO);
                    if (piece.isPresent()) {
                        turn = choice + 1;
                        return Optional.of(new Taken(choice, piece.get()));
                    }
                }
            }
            if (!bell.await(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
                return Optional.empty();
            }
        }
    }

    @Override
    public void close() {
        all.forEach(TextReply::close);
    }
}
