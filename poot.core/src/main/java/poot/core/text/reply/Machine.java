package poot.core.text.reply;

/** Goes through a reply character by character. */
sealed interface Machine permits MarkedReply, ChannelledReply, PlainReply {
    /** The next character. */
    void take(char c);

    /** The reply is over: what was held back comes out. */
    void end();
}
