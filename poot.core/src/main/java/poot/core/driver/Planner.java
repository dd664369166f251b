package poot.core.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import poot.api.driver.DriverOptions;
import poot.api.driver.SeqRequest;
import poot.api.model.ModelSchema;
import poot.core.sample.Head;

/**
 * Sorts the rows of a step into runs of prepared entries: rows that feed one token run together, as many as an entry
 * takes; a row that feeds more runs alone.
 */
final class Planner {
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
        List<Run> runs = new ArrayList<>();
        List<Run.Feed> single = new ArrayList<>();
        List<Run.Feed> singleLogits = new ArrayList<>();
        for (Run.Feed f : feeds) {
            Set<String> carried = carried(f.sequence());
            if (f.count() > 1 || !carried.isEmpty()) {
                int tokens = f.count() == 1 ? 1 : keys.tokens(f.count());
                runs.add(f.chooses() ? run(1, tokens, List.of(f), carried) : feed(tokens, f, carried));
            } else {
                (f.sequence().request().logits() ? singleLogits : single).add(f);
            }
        }
        for (List<Run.Feed> together : List.of(single, singleLogits)) {
            if (!together.isEmpty()) {
                runs.add(run(keys.rows(together.size()), 1, together, Set.of()));
            }
        }
        return runs;
    }

    private Set<String> carried(OpenSequence s) {
        return s.fed() >= s.prompt() ? Set.of() : Admission.carried(schema, s.request().inputs(), s.fed() == 0);
    }

    private Run run(int rows, int tokens, List<Run.Feed> feeds, Set<String> carried) {
        List<SeqRequest> requests = feeds.stream().map(f -> f.sequence().request()).toList();
        List<Head> among = tokens == 1 && carried.isEmpty() ? heads.decoding() : heads.prefilling();
        Head head = heads.narrowest(among, requests).orElseThrow(() -> new IllegalStateException("admitted without a head: " + feeds));
        EntryKey key = keys.step(rows, tokens, head, carried);
        Optional<PreparedEntry> entry = prepared.find(key);
        return new Run(entry.orElseThrow(() -> new IllegalStateException("not prepared: " + key)), feeds);
    }

    /** A row that only feeds asks for no choice: the step without a head, else the narrowest head there is. */
    private Run feed(int tokens, Run.Feed f, Set<String> carried) {
        EntryKey headless = keys.feed(tokens, carried);
        EntryKey narrowest = keys.step(1, tokens, heads.prefilling().getFirst(), carried);
        return new Run(prepared.find(headless).or(() -> prepared.find(narrowest))
                .orElseThrow(() -> new IllegalStateException("not prepared: " + narrowest)), List.of(f));
    }

    /** Tokens a step feeds a row at most. */
    int chunk() {
        return keys.chunk();
    }
}
