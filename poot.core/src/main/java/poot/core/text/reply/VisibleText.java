package poot.core.text.reply;

import java.util.HashSet;
import java.util.Set;
import poot.api.model.TextCodec;

/** Detokenizes a reply; of the special tokens, only marks are seen. */
final class VisibleText implements TextCodec.Stream {
    private final TextCodec codec;
    private final TextCodec.Stream all;
    private final Set<Integer> kept = new HashSet<>();

    VisibleText(TextCodec codec, Set<String> marks) {
        this.codec = codec;
        this.all = codec.stream(false);
        marks.forEach(m -> codec.id(m).ifPresent(kept::add));
    }

    @Override
    public String next(int id) {
        return kept.contains(id) || !isSpecial(id) ? all.next(id) : "";
    }

    @Override
    public String finish() {
        return all.finish();
    }

    /** A special token is text, but none where those are skipped. */
    private boolean isSpecial(int id) {
        int[] one = {id};
        return codec.decode(one, true).isEmpty() && !codec.decode(one, false).isEmpty();
    }
}
