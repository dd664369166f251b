package poot.core.driver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.driver.DriverOptions;
import poot.api.driver.SeqRequest;
import poot.api.model.ModelSchema;
import poot.core.sample.Head;

/**
 * Sorts the rows of a step into runs of prepared entries. Rows that feed one token run together, padded to the entry
 * that takes them all. Rows that feed more run with those whose tokens round up to the same step, so that a row's pass
 * is as long as it would be alone, in entries without padding rows; a row with optional inputs runs alone.
 */
final class Planner {
    /** What a run does for its rows. */
    private enum Purpose { FEED, PICK, LOGITS }

    /** What rows of one run have in common. */
    private record Kind(int tokens, Set<String> carried, Purpose purpose) {}

    private final ModelSchema schema;
    private final PreparedSet prepared;
    private final StepKeys keys;
    private final Heads heads;

    Planner(ModelSchema schema, PreparedSet prepared, DriverOptions options, Heads heads) {
        this.schema = schema;
        this.prepared = prepared;
        this.keys = new StepKeys(options, heads);
        this.heads = heads;
    }

    List<Run> runs(List<Run.Feed> feeds) {
        Map<Kind, List<Run.Feed>> kinds = new LinkedHashMap<>();
        feeds.forEach(f -> kinds.computeIfAbsent(kind(f), k -> new ArrayList<>()).add(f));
        List<Run> runs = new ArrayList<>();
        kinds.forEach((kind, rows) -> {
            for (int from = 0; from < rows.size(); ) {
                int count = together(kind, rows.size() - from);
                runs.add(run(kind, List.copyOf(rows.subList(from, from + count))));
                from += count;
            }
        });
        return runs;
    }

    private Kind kind(Run.Feed f) {
        OpenSequence s = f.sequence();
        Set<String> carried = s.fed() >= s.prompt() ? Set.of() : Admission.carried(schema, s.request().inputs(), s.fed() == 0);
        boolean single = f.count() == 1;
        boolean feeds = !f.chooses() && !(single && carried.isEmpty());
        Purpose purpose = feeds ? Purpose.FEED : s.request().logits() ? Purpose.LOGITS : Purpose.PICK;
        return new Kind(single ? 1 : keys.tokens(f.count()), carried, purpose);
    }

    /** How many of {@code n} rows of a kind one run takes. */
    private int together(Kind kind, int n) {
        if (!kind.carried().isEmpty()) {
            return 1;
        }
        return kind.tokens() == 1 ? n : Ladder.within(keys.prefillRows(kind.tokens()), n);
    }

    private Run run(Kind kind, List<Run.Feed> feeds) {
        boolean decodes = kind.tokens() == 1 && kind.carried().isEmpty();
        int rows = decodes ? keys.rows(feeds.size()) : feeds.size();
        EntryKey key = keys.step(rows, kind.tokens(), head(kind, decodes, feeds), kind.carried());
        Optional<PreparedEntry> headless = kind.purpose() == Purpose.FEED
                ? prepared.find(keys.feed(rows, kind.tokens(), kind.carried())) : Optional.empty();
        return new Run(headless.or(() -> prepared.find(key)).orElseThrow(() -> new IllegalStateException("not prepared: " + key)), feeds);
    }

    /** Rows that only feed ask for no choice: the narrowest head there is serves them. */
    private Head head(Kind kind, boolean decodes, List<Run.Feed> feeds) {
        if (kind.purpose() == Purpose.FEED) {
            return heads.prefilling().getFirst();
        }
        List<SeqRequest> requests = feeds.stream().map(f -> f.sequence().request()).toList();
        return heads.narrowest(decodes ? heads.decoding() : heads.prefilling(), requests)
                .orElseThrow(() -> new IllegalStateException("admitted without a head: " + feeds));
    }

    /** Tokens a step feeds a row at most. */
    int chunk() {
        return keys.chunk();
    }
}
