package poot.core.text.tokenizer;

/**
 * Text out of ids as they are generated. Never hands out part of a character; all it hands out, put together, is what
 * {@link Tokenizer#decode} gives for all the ids. Not safe for concurrent use.
 */
public final class StreamDecoder {
    private final Tokenizer tokenizer;
    private final boolean skipSpecial;
    private final StringBuilder out = new StringBuilder();
    private final TextDecoder.Stage head;

    StreamDecoder(Tokenizer tokenizer, boolean skipSpecial, TextDecoder decoder) {
        this.tokenizer = tokenizer;
        this.skipSpecial = skipSpecial;
        this.head = decoder.open(new TextDecoder.Stage() {
            @Override
            public void text(String chunk) {
                out.append(chunk);
            }

            @Override
            public void end() {
                // pieces are joined as they are
            }

            @Override
            public void finish() {
                // nothing is held back here
            }
        });
    }

    /** Takes the next id; the text that is certain by now, often empty. An id that is no token adds nothing. */
    public String feed(int id) {
        String piece = tokenizer.shown(id);
        if (piece != null && !(skipSpecial && tokenizer.isSpecial(id))) {
            head.text(piece);
            head.end();
        }
        return take();
    }

    /** Ends the stream; the text still held back. Nothing may be fed afterwards. */
    public String finish() {
        head.finish();
        return take();
    }

    private String take() {
        String s = out.toString();
        out.setLength(0);
        return s;
    }
}
