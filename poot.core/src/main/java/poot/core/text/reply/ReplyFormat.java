package poot.core.text.reply;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import poot.api.model.ModelConfig.ToolFormat;
import poot.api.model.TextCodec;
import poot.core.text.chat.ChatTraits;

/**
 * How a model marks calls and reasoning. The chat template decides: a fine-tuned model keeps the family it comes from,
 * and not its format. Immutable, safe for use by several threads.
 */
public final class ReplyFormat {
    private static final ReplyFormat PLAIN = new ReplyFormat(Optional.empty(), List.of(), false);

    private final Optional<Dialect> dialect;
    private final List<ReasoningMarks> reasonings;
    private final boolean channelled;

    private ReplyFormat(Optional<Dialect> dialect, List<ReasoningMarks> reasonings, boolean channelled) {
        this.dialect = dialect;
        this.reasonings = List.copyOf(reasonings);
        this.channelled = channelled;
    }

    /** Without any marks: a reply is text. */
    public static ReplyFormat plain() {
        return PLAIN;
    }

    /**
     * The format of a model: that of the calls its template writes; else one its template tells the model to write;
     * else the declared one; else one whose marks are tokens of its vocabulary. Renders the template a few times; to be
     * kept.
     */
    public static ReplyFormat of(TextCodec codec, ToolFormat declared) {
        return of(ChatTraits.of(codec), declared, token -> codec.id(token).isPresent());
    }

    static ReplyFormat of(ChatTraits traits, ToolFormat declared, Predicate<String> isToken) {
        boolean channelled = traits.rendered().isEmpty() ? declared == ToolFormat.HARMONY
                : traits.rendered().stream().anyMatch(ChannelledReply::isIn);
        if (channelled) {
            return new ReplyFormat(Optional.empty(), List.of(), true);
        }
        List<ReasoningMarks> reasonings = new ArrayList<>();
        for (ReasoningMarks r : ReasoningMarks.KNOWN) {
            if (r.open().equals("<think>") || isToken.test(r.open()) || traits.rendered().stream().anyMatch(
                    t -> t.contains(r.open()) && (t.contains(r.close()) || t.stripTrailing().endsWith(r.open())))) {
                reasonings.add(r);
            }
        }
        return new ReplyFormat(dialect(traits, declared, isToken), reasonings, false);
    }

    private static Optional<Dialect> dialect(ChatTraits traits, ToolFormat declared, Predicate<String> isToken) {
        Optional<String> call = traits.call();
        if (call.isPresent()) {
            return Dialects.in(call.get()).or(() -> traits.callIsBare() ? Optional.of(Dialects.bare()) : Optional.empty());
        }
        return traits.declaration().flatMap(Dialects::in).or(() -> Dialects.of(declared)).or(() -> Dialects.with(isToken));
    }

    /** Whether calls are told apart; if not, tools are offered in vain. */
    public boolean readsCalls() {
        return channelled || dialect.isPresent();
    }

    /** A parser of one reply. */
    public ReplyParser open(ReplyOptions options) {
        Events events = new Events();
        Offered offered = new Offered(options.reads() ? options.tools() : List.of());
        if (channelled) {
            return new ReplyParser(events, new ChannelledReply(events, offered, options.reasoning(), options.prompt()));
        }
        List<ReasoningMarks> marks = options.reasoning() ? reasonings : List.of();
        Optional<ReasoningMarks> inside = options.reasoning() ? ReasoningMarks.openAt(options.prompt()) : Optional.empty();
        Optional<Dialect> read = options.reads() ? dialect : Optional.empty();
        if (marks.isEmpty() && read.isEmpty() && inside.isEmpty()) {
            return new ReplyParser(events, new PlainReply(events));
        }
        return new ReplyParser(events, new MarkedReply(events, offered, read, marks, inside));
    }

    /** The special tokens that a reply's text must show for its parser to see them; all others must be hidden. */
    public Set<String> keepsSpecial(ReplyOptions options) {
        Set<String> out = new HashSet<>();
        if (channelled) {
            out.addAll(ChannelledReply.MARKS);
        }
        if (options.reads()) {
            dialect.ifPresent(d -> out.addAll(d.special()));
        }
        if (options.reasoning()) {
            for (ReasoningMarks r : reasonings) {
                out.add(r.open());
                out.add(r.close());
            }
            ReasoningMarks.openAt(options.prompt()).ifPresent(r -> out.add(r.close()));
        }
        return Set.copyOf(out);
    }

    /** A detokenizer of one reply, which shows what {@link #keepsSpecial} names and hides other special tokens. */
    public TextCodec.Stream stream(TextCodec codec, ReplyOptions options) {
        return new VisibleText(codec, keepsSpecial(options));
    }
}
