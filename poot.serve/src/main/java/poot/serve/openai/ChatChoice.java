package poot.serve.openai;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import poot.core.engine.End;
import poot.core.engine.Piece;
import poot.core.engine.TokenText;
import poot.core.text.reply.ReplyEvent;
import poot.core.text.reply.ReplyParser;
import poot.serve.fault.ApiException;

/** One choice of a chat as it is answered: pieces of text become deltas. */
final class ChatChoice {
    private static final String LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final int ID_LENGTH = 9;

    private final ReplyParser parser;
    private final boolean oneCall;
    private final List<TokenText> tokens = new ArrayList<>();
    private boolean called;

    /**
     * A choice.
     *
     * @param parser  reads its text
     * @param oneCall whether it ends after its first call
     */
    ChatChoice(ReplyParser parser, boolean oneCall) {
        this.parser = parser;
        this.oneCall = oneCall;
    }

    /** Hands every delta on, until the choice is over. */
    void read(Replies replies, int index, Consumer<Delta> to) throws InterruptedException, ApiException {
        while (true) {
            switch (replies.next(index)) {
                case Piece.Text t -> {
                    text(t).forEach(to);
                    if (satisfied()) {
                        replies.cancel(index);
                    }
                }
                case Piece.Done d -> {
                    Finishes.requireWhole(d);
                    done(d).forEach(to);
                    return;
                }
                case Piece.Failed f -> throw new ApiException(EngineFaults.of(f.fault(), "messages"));
            }
        }
    }

    /** What more text adds. */
    List<Delta> text(Piece.Text piece) {
        tokens.addAll(piece.tokens());
        return deltas(parser.feed(piece.text()));
    }

    /** What the end adds, {@link Delta.Finish} last. */
    List<Delta> done(Piece.Done done) {
        List<Delta> out = deltas(parser.finish());
        boolean calls = parser.calls() > 0 && (done.end() == End.STOP || done.end() == End.CANCELLED);
        out.add(new Delta.Finish(calls ? "tool_calls" : Finishes.reason(done.end()), done.usage()));
        return out;
    }

    /** Whether the one call that is wanted is whole. */
    boolean satisfied() {
        return oneCall && called;
    }

    /** The tokens since the last time, for their logprobs. */
    List<TokenText> takeTokens() {
        List<TokenText> out = List.copyOf(tokens);
        tokens.clear();
        return out;
    }

    private List<Delta> deltas(List<ReplyEvent> events) {
        List<Delta> out = new ArrayList<>();
        for (ReplyEvent e : events) {
            if (satisfied()) {
                break;
            }
            switch (e) {
                case ReplyEvent.Text t -> out.add(new Delta.Text(t.delta()));
                case ReplyEvent.Reasoning r -> out.add(new Delta.Reasoning(r.delta()));
                case ReplyEvent.CallStart c -> out.add(new Delta.CallStart(c.index(), c.id().orElseGet(ChatChoice::invented), c.name()));
                case ReplyEvent.CallArguments a -> out.add(new Delta.CallArguments(a.index(), a.delta()));
                case ReplyEvent.CallEnd _ -> called = true;
            }
        }
        return out;
    }

    private static String invented() {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < ID_LENGTH; i++) {
            s.append(LETTERS.charAt(ThreadLocalRandom.current().nextInt(LETTERS.length())));
        }
        return s.toString();
    }
}
