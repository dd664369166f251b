package poot.serve.openai;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import poot.core.engine.Piece;
import poot.serve.fault.ErrorAnswer;

/** Completions as chunks, in the order they come. */
final class CompletionStream implements Answer.Events {
    private final Replies replies;
    private final CompletionWriter writer;
    private final Duration beat;

    CompletionStream(Replies replies, CompletionWriter writer, Duration beat) {
        this.replies = replies;
        this.writer = writer;
        this.beat = beat;
    }

    @Override
    public void send(Sink sink) throws IOException, InterruptedException {
        for (int i = 0; i < replies.size(); i++) {
            if (!writer.echo(i).isEmpty()) {
                sink.event("", writer.chunk(i, writer.echo(i), List.of(), null));
            }
        }
        Finishes.Sum usage = writer.sum();
        boolean[] over = new boolean[replies.size()];
        for (int left = replies.size(); left > 0; ) {
            Optional<Replies.Taken> taken = replies.next(over, beat);
            if (taken.isEmpty()) {
                sink.beat();
                continue;
            }
            int index = taken.get().choice();
            switch (taken.get().piece()) {
                case Piece.Text t -> sink.event("", writer.chunk(index, t.text(), t.tokens(), null));
                case Piece.Done d -> {
                    if (Finishes.cutShort(d)) {
                        sink.event("", ErrorAnswer.of(Replies.shutDown()).body());
                        return;
                    }
                    sink.event("", writer.chunk(index, "", List.of(), Finishes.reason(d.end())));
                    usage.add(index, d.usage());
                    over[index] = true;
                    left--;
                }
                case Piece.Failed f -> {
                    sink.event("", ErrorAnswer.of(EngineFaults.of(f.fault(), "prompt")).body());
                    return;
                }
            }
        }
        if (writer.includesUsage()) {
            sink.event("", writer.usage(usage));
        }
        sink.done();
    }

    @Override
    public void close() {
        replies.close();
    }
}
