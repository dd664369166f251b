package poot.core.text.reply;

/** Reads what follows a marker that begins a call, character by character. */
sealed interface CallReader permits ForkReader, EnvelopeReader, NamedReader, TaggedReader {
    /** What became of a character. */
    enum Step {
        /** Taken; more belongs to the call. */
        MORE,
        /** Taken; it was the last of the call, or of its end marker. */
        CLOSED,
        /** Not taken: the call, or what was none, ended before it. */
        LEFT,
        /** Taken, and text: the call ended before it. */
        STRAY
    }

    /** The next character. */
    Step take(char c);

    /** The reply ended. */
    void end();
}
