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

/** The prepared heads, from the narrowest to the widest, and which of them serves a request. */
final class Heads {
    private final List<HeadKind> kinds;
    private final int logprobs;
    private final int candidates;

    Heads(DriverOptions options) {
        this.kinds = new ArrayList<>(options.heads().kinds());
        this.kinds.sort(null);
        this.logprobs = options.heads().logprobs();
        this.candidates = options.heads().candidates();
    }

    List<HeadKind> kinds() {
        return kinds;
    }

    Head head(HeadKind kind) {
        return switch (kind) {
            case GREEDY -> Head.Sample.GREEDY;
            case SAMPLE -> new Head.Sample(true, true, logprobs, candidates);
            case LOGITS -> new Head.Logits();
        };
    }

    /** Whether a head serves a request. */
    private boolean serves(HeadKind kind, SeqRequest r) {
        SamplingParams s = r.sampling();
        return switch (kind) {
            case GREEDY -> !r.logits() && !s.draws() && !s.readsHistory() && s.logprobs() == 0;
            case SAMPLE -> !r.logits() && s.logprobs() <= logprobs;
            case LOGITS -> r.logits();
        };
    }

    /** The narrowest prepared head that serves all the requests. */
    Optional<HeadKind> narrowest(List<SeqRequest> requests) {
        return kinds.stream().filter(k -> requests.stream().allMatch(r -> serves(k, r))).findFirst();
    }

    Set<HeadKind> asSet() {
        return kinds.isEmpty() ? Set.of() : EnumSet.copyOf(kinds);
    }
}
