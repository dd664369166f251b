package poot.serve.openai;

/** Who waits for an answer. */
public interface Client {
    /** Calls {@code action} once, from any thread, if the client is seen to have gone before the answer is sent. */
    void whenGone(Runnable action);

    /** A client that stays. */
    Client PATIENT = action -> { };
}
