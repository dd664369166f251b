package poot.core.driver;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.core.sample.Head;

/**
 * The prepared heads, from the narrowest to the widest, and which of them serves a request.
 *
 * <p>Over a large vocabulary sampling has two: one that orders a few of the likeliest tokens, for rows with a small
 * top-k or without top-k and top-p, and one that orders the whole vocabulary. A prompt is sampled from once, so its
 * steps have the wide one alone.
 */
final class Heads {
    /** The largest vocabulary that is put in order as fast as a few of its tokens. */
    private static final int SMALL = 4096;
    /** Tokens the narrow sampling head puts in order. */
    private static final int ORDERED = 128;

    private final Set<HeadKind> kinds;
    private final int logprobs;
    private final int candidates;
    private final int vocabulary;
    private final List<Head> decoding = new ArrayList<>();
    private final List<Head> prefilling = new ArrayList<>();

    Heads(DriverOptions options, int vocabulary) {
        this.kinds = options.heads().kinds();
        this.logprobs = options.heads().logprobs();
        this.candidates = options.heads().candidates();
        this.vocabulary = vocabulary;
        if (kinds.contains(HeadKind.GREEDY)) {
            prefilling.add(Head.Sample.GREEDY);
        }
        if (kinds.contains(HeadKind.SAMPLE)) {
            prefilling.add(new Head.Sample(true, true, logprobs, candidates));
        }
        if (kinds.contains(HeadKind.LOGITS)) {
            prefilling.add(new Head.Logits());
        }
        decoding.addAll(prefilling);
        if (kinds.contains(HeadKind.SAMPLE) && candidates == 0 && vocabulary > SMALL) {
            decoding.add(kinds.contains(HeadKind.GREEDY) ? 1 : 0, new Head.Sample(true, true, logprobs, ORDERED));
        }
    }

    /** The heads of steps that feed each row one token. */
    List<Head> decoding() {
        return decoding;
    }

    /** The heads of steps that feed one row several tokens, or inputs beside them. */
    List<Head> prefilling() {
        return prefilling;
    }

    /** Tokens a request's draws choose among at most: its top-k or the options' bound; the vocabulary where it is off. */
    int topK(SamplingParams s) {
        if (!s.draws()) {
            return vocabulary;
        }
        int own = s.filters().topK() == 0 ? vocabulary : Math.min(s.filters().topK(), vocabulary);
        return candidates == 0 ? own : Math.min(own, candidates);
    }

    /** Whether a head serves a request. */
    private boolean serves(Head head, SeqRequest r) {
        return switch (head) {
            case Head.Raw h -> false;
            case Head.Feed h -> false;
            case Head.Logits h -> r.logits();
            case Head.Sample h -> !r.logits() && serves(h, r.sampling());
        };
    }

    private boolean serves(Head.Sample head, SamplingParams s) {
        if (s.logprobs() > head.logprobs() || s.readsHistory() && !head.history() || s.draws() && !head.draws()) {
            return false;
        }
        boolean unfiltered = topK(s) == vocabulary && s.filters().topP() >= 1f;
        return !s.draws() || head.ordered() == 0 || unfiltered || topK(s) <= head.ordered();
    }

    /** The narrowest of some heads that serves all the requests. */
    Optional<Head> narrowest(List<Head> among, List<SeqRequest> requests) {
        return among.stream().filter(h -> requests.stream().allMatch(r -> serves(h, r))).findFirst();
    }

    Set<HeadKind> asSet() {
        return kinds.isEmpty() ? Set.of() : EnumSet.copyOf(kinds);
    }
}
