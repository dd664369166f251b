package poot.core.text.reply;

/** A reply without marks: all of it is text. */
record PlainReply(Events events) implements Machine {
    @Override
    public void take(char c) {
        events.text(String.valueOf(c));
    }

    @Override
    public void end() {
        // nothing is held back
    }
}
