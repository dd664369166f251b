package poot.core.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * A request in the engine's hands. Its events wait in a buffer of its own, which holds at most the tokens the request
 * may ask for and two events more: a slow consumer costs that memory and nothing else, and never delays a step.
 *
 * <p>Safe for use by several threads; each event is handed out once. A consumer that loses interest has to
 * {@link #cancel}: a ticket that is merely dropped runs to its limits, holding its row and its cache until then.
 */
public interface Ticket {
    /** Its number, unique in its engine. */
    long id();

    /** Tokens of its prompt. */
    int prompt();

    /**
     * The next event, waited for.
     *
     * @param atMost how long to wait; zero does not wait
     * @return empty where none came in time, or the last event was handed out before
     * @throws InterruptedException if the thread was interrupted while it waited; no event is lost
     */
    Optional<Event> next(Duration atMost) throws InterruptedException;

    /**
     * Rings a bell at each event from now on, and at once if events wait already. A ticket has one bell: another takes
     * its place.
     */
    void hang(Bell bell);

    /** Whether the last event was handed out. */
    boolean finished();

    /**
     * Ends the request at the next step, wherever it stands: its row and cache are freed, and {@link Event.Ended} with
     * {@link End#CANCELLED} follows the events already there. Returns at once; without effect where it has ended.
     */
    void cancel();
}
