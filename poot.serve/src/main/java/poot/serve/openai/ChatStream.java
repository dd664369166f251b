package poot.serve.openai;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import poot.core.engine.Piece;
import poot.core.engine.TokenText;
import poot.serve.fault.ErrorAnswer;

/** A chat's choices as chunks, in the order they come. */
final class ChatStream implements Answer.Events {
    private final Replies replies;
    private final List<ChatChoice> choices;
    private final ChatWriter writer;
    private final Duration beat;

    ChatStream(Replies replies, List<ChatChoice> choices, ChatWriter writer, Duration beat) {
        this.replies = replies;
        this.choices = choices;
        this.writer = writer;
        this.beat = beat;
    }

    @Override
    public void send(Sink sink) throws IOException, InterruptedException {
        for (int i = 0; i < choices.size(); i++) {
            sink.event("", writer.opening(i));
        }
        Finishes.Sum usage = new Finishes.Sum(choices.size());
        boolean[] over = new boolean[choices.size()];
        for (int left = choices.size(); left > 0; ) {
            Optional<Replies.Taken> taken = replies.next(over, beat);
            if (taken.isEmpty()) {
                sink.beat();
                continue;
            }
            int index = taken.get().choice();
            ChatChoice choice = choices.get(index);
            switch (taken.get().piece()) {
                case Piece.Text t -> {
                    send(sink, index, choice.text(t));
                    if (choice.satisfied()) {
                        replies.cancel(index);
                    }
                }
                case Piece.Done d -> {
                    if (Finishes.cutShort(d)) {
                        sink.event("", ErrorAnswer.of(Replies.shutDown()).body());
                        return;
                    }
                    send(sink, index, choice.done(d));
                    usage.add(index, d.usage());
                    over[index] = true;
                    left--;
                }
                case Piece.Failed f -> {
                    sink.event("", ErrorAnswer.of(EngineFaults.of(f.fault(), "messages")).body());
                    return;
                }
            }
        }
        if (writer.includesUsage()) {
            sink.event("", writer.usage(usage));
        }
        sink.done();
    }

    private void send(Sink sink, int index, List<Delta> deltas) throws IOException {
        for (Delta d : deltas) {
            List<TokenText> tokens = choices.get(index).takeTokens();
            sink.event("", writer.chunk(index, d, tokens));
        }
    }

    @Override
    public void close() {
        replies.close();
    }
}
