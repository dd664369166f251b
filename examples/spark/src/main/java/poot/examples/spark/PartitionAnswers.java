package poot.examples.spark;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SeqRequest;
import poot.api.model.ChatException;
import poot.api.model.TextCodec;
import poot.core.engine.Engine;
import poot.core.engine.EngineException;
import poot.core.engine.EngineFault;
import poot.core.engine.End;
import poot.core.engine.Piece;
import poot.core.engine.SubmitException;
import poot.core.engine.SubmitFault;
import poot.core.engine.TextReply;
import poot.core.engine.TextRules;

/**
 * The answered lines of a partition, in order, made as they are asked for. Lines ahead of the one asked for are in the
 * engine already, as many as the settings let be in flight, so that its steps carry many rows. A line that cannot be
 * answered becomes a line that says why; an engine that ended ends the partition with {@link EngineLostException}. For one
 * thread.
 */
final class PartitionAnswers implements Iterator<String>, AutoCloseable {
    private static final Duration FULL = Duration.ofMillis(20);

    private final Iterator<String> lines;
    private final Settings settings;
    private final EngineHolder.Lease lease;
    private final Engine engine;
    private final TextCodec text;
    private final GenerateLimits limits;
    private final Deque<Pending> window = new ArrayDeque<>();
    private String refused;

    /** A line on its way. */
    private sealed interface Pending {
        /** In the engine. */
        record Submitted(PromptLine line, TextReply reply) implements Pending {}

        /** Never was, or is no more: the line to write. */
        record Written(String line) implements Pending {}
    }

    /** The answers of some lines; the lease is this iterator's from now on. */
    PartitionAnswers(Iterator<String> lines, Settings settings, EngineHolder.Lease lease) {
        this.lines = lines;
        this.settings = settings;
        this.lease = lease;
        this.engine = lease.shared().engine();
        this.text = lease.shared().text();
        this.limits = new GenerateLimits(settings.tokens(), engine.config().endOfSequence());
    }

    @Override
    public boolean hasNext() {
        return !window.isEmpty() || refused != null || lines.hasNext();
    }

    @Override
    public String next() {
        if (!hasNext()) {
            throw new NoSuchElementException("every line of the partition was answered");
        }
        try {
            fill();
            return switch (window.remove()) {
                case Pending.Submitted s -> answer(s);
                case Pending.Written w -> w.line();
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            CancellationException cancelled = new CancellationException("the task was interrupted while it waited for an answer");
            cancelled.initCause(e);
            throw cancelled;
        }
    }

    /** Submits lines until enough are in flight; afterwards at least one is. */
    private void fill() throws InterruptedException {
        while (window.size() < settings.inFlight() && (refused != null || lines.hasNext())) {
            String line = refused != null ? refused : lines.next();
            refused = null;
            try {
                window.add(submit(line));
            } catch (SubmitException e) {
                if (!(e.fault() instanceof SubmitFault.QueueFull)) {
                    throw new EngineLostException(e.getMessage(), e);
                }
                // Other partitions filled the queue. It empties without anybody reading, so waiting for it cannot last.
                refused = line;
                if (!window.isEmpty()) {
                    return;
                }
                Thread.sleep(FULL);
            }
        }
    }

    /** @throws SubmitException if the fault is the engine's, not the line's */
    private Pending submit(String line) throws SubmitException {
        PromptLine prompt;
        try {
            prompt = settings.jsonLines() ? PromptLine.json(line) : PromptLine.plain(line);
        } catch (PromptLineException e) {
            return new Pending.Written(PromptLine.unread(line, e.getMessage()));
        }
        try {
            SeqRequest request = SeqRequest.of(tokens(prompt.prompt()));
            return new Pending.Submitted(prompt, TextReply.of(engine.submit(request, limits), text, TextRules.PLAIN));
        } catch (ChatException e) {
            return new Pending.Written(prompt.failed(e.getMessage()));
        } catch (SubmitException e) {
            return switch (e.fault()) {
                case SubmitFault.Admission a -> new Pending.Written(prompt.failed(a.message()));
                case SubmitFault.QueueFull _, SubmitFault.Draining _, SubmitFault.Stopped _, SubmitFault.TooManyRows _ -> throw e;
            };
        }
    }

    /** A user's turn where the model chats; the bare text where it only continues. */
    private int[] tokens(String prompt) throws ChatException {
        return text.hasChatTemplate()
                ? text.encodeRendered(text.render(List.of(new TextCodec.ChatMessage("user", prompt))))
                : text.encode(prompt, true);
    }

    private String answer(Pending.Submitted s) throws InterruptedException {
        StringBuilder answer = new StringBuilder();
        try (TextReply reply = s.reply()) {
            Piece.Done done = reply.forEach(answer::append);
            if (done.end() == End.SHUTDOWN) {
                throw new EngineLostException("the engine was closed while a line was answered");
            }
            return s.line().answered(answer.toString(), done);
        } catch (EngineException e) {
            return switch (e.fault()) {
                case EngineFault.Refused r -> s.line().failed(r.message());
                case EngineFault.Step f -> s.line().failed(f.message());
                case EngineFault.Broken b -> throw new EngineLostException(b.message(), e);
                case EngineFault.Shutdown d -> throw new EngineLostException(d.message(), e);
            };
        }
    }

    /** Cancels what is in flight and gives the engine back: after the last line, or before, where the task ends early. */
    @Override
    public void close() {
        for (Pending p : window) {
            if (p instanceof Pending.Submitted s) {
                s.reply().close();
            }
        }
        window.clear();
        lease.close();
    }
}
