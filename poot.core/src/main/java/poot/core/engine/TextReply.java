package poot.core.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import poot.api.model.TextCodec;

/**
 * The text of a request's answer, made in the consumer's thread from its ticket's events: tokens become text that never
 * splits a character, what may begin a stop string is held back until it is certain, and a complete one ends the reply
 * and the request. For one thread, but for {@link #cancel}. Closing a reply that is not over cancels it.
 */
public final class TextReply implements AutoCloseable {
    private static final Duration LONG = Duration.ofHours(1);

    private final Ticket ticket;
    private final TextCodec.Stream stream;
    private final StopText text;
    private final Deque<Piece> ready = new ArrayDeque<>();
    private int reused;
    private int tokens;
    private boolean over;

    private TextReply(Ticket ticket, TextCodec.Stream stream, TextRules rules) {
        this.ticket = ticket;
        this.stream = stream;
        this.text = new StopText(rules.stops(), rules.includeStop());
    }

    /** The reply of a ticket none of whose events were taken. */
    public static TextReply of(Ticket ticket, TextCodec codec, TextRules rules) {
        return new TextReply(Objects.requireNonNull(ticket), codec.stream(rules.skipSpecial()), rules);
    }

    /** The reply of such a ticket, detokenized by {@code stream}, which decides what special tokens show. */
    public static TextReply of(Ticket ticket, TextCodec.Stream stream, TextRules rules) {
        return new TextReply(Objects.requireNonNull(ticket), Objects.requireNonNull(stream), rules);
    }

    /** The ticket. */
    public Ticket ticket() {
        return ticket;
    }

    /** Prompt tokens found in the prefix cache, as far as it is known: once a piece came. */
    public int reused() {
        return reused;
    }

    /**
     * The next piece, waited for.
     *
     * @param atMost how long to wait; zero does not wait
     * @return empty where none came in time, or the last piece was handed out before
     * @throws InterruptedException if the thread was interrupted while it waited; nothing is lost
     */
    public Optional<Piece> next(Duration atMost) throws InterruptedException {
        long from = System.nanoTime();
        while (ready.isEmpty() && !over) {
            Duration left = atMost.minusNanos(System.nanoTime() - from);
            Optional<Event> event = ticket.next(left.isNegative() ? Duration.ZERO : left);
            if (event.isEmpty()) {
                break;
            }
            take(event.get());
        }
        return Optional.ofNullable(ready.poll());
    }

    /**
     * Hands every piece of text to a consumer as it becomes certain, until the reply is over.
     *
     * @return how it ended
     * @throws EngineException      if the request failed; the text before was handed out
     * @throws InterruptedException if the thread was interrupted while it waited; the reply can be gone on with
     */
    public Piece.Done forEach(Consumer<String> consumer) throws EngineException, InterruptedException {
        while (true) {
            Optional<Piece> piece = next(LONG);
            if (piece.isEmpty() && over) {
                throw new IllegalStateException("the reply was read to its end before");
            }
            if (piece.isPresent()) {
                switch (piece.get()) {
                    case Piece.Text t -> {
                        if (!t.text().isEmpty()) {
                            consumer.accept(t.text());
                        }
                    }
                    case Piece.Done d -> {
                        return d;
                    }
                    case Piece.Failed f -> throw new EngineException(f.fault());
                }
            }
        }
    }

    private void take(Event event) {
        switch (event) {
            case Event.Started s -> reused = s.reused();
            case Event.Token t -> {
                tokens = t.index() + 1;
                if (text.token(t.pick(), t.index(), stream.next(t.pick().token()))) {
                    ticket.cancel();
                    end(new Piece.Done(End.STOP, used(), text.stop(), OptionalInt.empty()));
                } else {
                    text.certain().ifPresent(ready::add);
                }
            }
            case Event.Ended e -> {
                boolean stopped = text.rest(stream.finish());
                end(stopped ? new Piece.Done(End.STOP, e.usage(), text.stop(), OptionalInt.empty())
                        : new Piece.Done(e.end(), e.usage(), Optional.empty(), e.stopId()));
            }
            case Event.Failed f -> {
                text.rest(stream.finish());
                end(new Piece.Failed(f.fault(), f.usage()));
            }
        }
    }

    private Usage used() {
        return new Usage(ticket.prompt(), reused, tokens);
    }

    private void end(Piece last) {
        text.all().ifPresent(ready::add);
        ready.add(last);
        over = true;
    }

    /** Ends the request at the next step; {@link Piece.Done} follows the pieces there are. Callable from any thread. */
    public void cancel() {
        ticket.cancel();
    }

    /** Cancels the request unless it is over. */
    @Override
    public void close() {
        if (!over) {
            ticket.cancel();
        }
    }
}
