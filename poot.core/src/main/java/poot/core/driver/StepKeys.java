package poot.core.driver;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import poot.api.driver.DriverOptions;
import poot.api.driver.Feature;
import poot.api.model.KvLayout;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.core.sample.Head;

/** The keys of every step the options admit, and the one a run needs. */
final class StepKeys {
    /** Tokens of all rows of a pass, where rows are fed together: enough that each weight read is used well. */
    private static final int ENOUGH = 128;

    private final DriverOptions options;
    private final Heads heads;
    private final int chunk;
    private final List<Integer> tokens;
    private final List<Integer> rows;

    StepKeys(DriverOptions options, Heads heads) {
        this.options = options;
        this.heads = heads;
        this.chunk = Math.min(options.passes().prefillChunk(), options.cache().capacity());
        this.tokens = Ladder.tokens(chunk);
        this.rows = Ladder.rows(options.cache().rows());
    }

    /** Every key to prepare for a model: decode steps first, then prefill, then encode. */
    List<EntryKey> all(ModelSchema schema) {
        List<EntryKey> out = new ArrayList<>();
        if (schema.program(ProgramName.STEP).isPresent()) {
            for (Head h : heads.decoding()) {
                rows.forEach(r -> out.add(step(r, 1, h, Set.of())));
            }
            for (Head h : heads.prefilling()) {
                for (int t : tokens) {
                    together(t, chunk).forEach(r -> out.add(step(r, t, h, Set.of())));
                }
                for (Set<String> carried : options.passes().carried()) {
                    out.add(step(1, 1, h, carried));
                    tokens.forEach(t -> out.add(step(1, t, h, carried)));
                }
            }
            if (!heads.prefilling().isEmpty() && chunk > 1 && chunk < options.cache().capacity()) {
                if (!shares(schema)) {
                    out.add(feed(1, chunk, Set.of()));
                }
                options.passes().carried().forEach(c -> out.add(feed(1, chunk, c)));
            }
        }
        if (schema.program(ProgramName.ENCODE).isPresent() && encodes()) {
            for (int t : Ladder.tokens(options.passes().encodeTokens())) {
                encodeRows(t).forEach(r -> out.add(encode(r, t, Set.of())));
                options.passes().carried().forEach(c -> out.add(encode(1, t, c)));
            }
        }
        return out;
    }

    /** Whether what a chunk fills is to be shared once it is fed: then a head has to judge it. */
    private boolean shares(ModelSchema schema) {
        Set<Feature> met = EnumSet.of(Feature.PREFIX_REUSE);
        met.addAll(Compatibility.of(schema));
        return options.cache().blocks() instanceof DriverOptions.Blocks.Pool p && p.reuse() && Compatibility.refusal(met).isEmpty();
    }

    EntryKey step(int rowCount, int tokenCount, Head head, Set<String> carried) {
        StepShape shape = StepShape.step(rowCount, tokenCount, options.cache().capacity())
                .withLayout(layout(options.cache())).withKv(options.cache().kv());
        return new EntryKey(ProgramName.STEP, shape, head, carried);
    }

    private static KvLayout layout(DriverOptions.Cache cache) {
        return switch (cache.blocks()) {
            case DriverOptions.Blocks.PerRow own -> new KvLayout.Contiguous(cache.rows());
            case DriverOptions.Blocks.Pool pool -> new KvLayout.Paged(pool.blocks(), pool.positions(), cache.rows());
        };
    }

    /**
     * The step that feeds rows and chooses nothing; prepared for whole chunks of one longer prompt, unless others may share
     * what they fill: nothing says of this step's outcome that it is finite.
     */
    EntryKey feed(int rowCount, int tokenCount, Set<String> carried) {
        return step(rowCount, tokenCount, new Head.Feed(), carried);
    }

    EntryKey encode(int rowCount, int tokenCount, Set<String> carried) {
        return new EntryKey(ProgramName.ENCODE, StepShape.encode(rowCount, tokenCount), new Head.Raw(), carried);
    }

    /** The tokens of the prefill step that takes {@code n}. */
    int tokens(int n) {
        return Ladder.fitting(tokens, n);
    }

    /** The rows of the decode step that takes {@code n}. */
    int rows(int n) {
        return Ladder.fitting(rows, n);
    }

    /** The numbers of rows for which a prefill step of {@code tokenCount} tokens a row is prepared. */
    List<Integer> prefillRows(int tokenCount) {
        return together(tokenCount, chunk);
    }

    /** The numbers of rows for which an encode pass of {@code tokenCount} tokens a row is prepared. */
    List<Integer> encodeRows(int tokenCount) {
        return together(tokenCount, options.passes().encodeTokens());
    }

    private List<Integer> together(int tokenCount, int longest) {
        int most = Math.max(longest, ENOUGH) / tokenCount;
        return Ladder.together(options.cache().rows()).stream().filter(r -> r == 1 || r <= most).toList();
    }

    /** Whether encode passes are prepared, of a model that has them. */
    boolean encodes() {
        return options.passes().encodeTokens() > 0;
    }

    /** The tokens of the encode pass that takes {@code n}. */
    int encodeTokens(int n) {
        return Ladder.fitting(Ladder.tokens(options.passes().encodeTokens()), n);
    }

    /** Tokens a step feeds a row at most. */
    int chunk() {
        return chunk;
    }
}
