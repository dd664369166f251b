package poot.core.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.List;
import poot.api.driver.RequestInputs;
import poot.api.driver.SamplingParams;
import poot.api.model.RequestInput;
import poot.api.model.StepInput;
import poot.core.sample.SampleSlot;

/** Fills the input buffers of a run: geometry, request inputs, sampling. Rows without work are padding. */
final class StepBinder {
    private final KvMemory memory;
    private final int vocabulary;
    private final Heads heads;

    StepBinder(KvMemory memory, int vocabulary, Heads heads) {
        this.memory = memory;
        this.vocabulary = vocabulary;
        this.heads = heads;
    }

    void bind(Run run) {
        PreparedEntry entry = run.entry();
        for (StepInput i : StepInput.values()) {
            entry.slot(i.slot()).ifPresent(buffer -> fill(i, buffer, entry, run.feeds()));
        }
        for (RequestInput i : entry.inputs()) {
            bind(i, entry, run.feeds());
        }
        for (SampleSlot s : SampleSlot.values()) {
            entry.slot(s.slot()).ifPresent(buffer -> fill(s, buffer, entry, run.feeds()));
        }
    }

    private void fill(StepInput input, MemorySegment buffer, PreparedEntry entry, List<Run.Feed> feeds) {
        switch (input) {
            case TOKENS -> fill(buffer, entry, feeds, 0, (s, p) -> s.token(p));
            case POSITIONS -> fill(buffer, entry, feeds, -1, (s, p) -> p);
            case KV_WRITE -> fill(buffer, entry, feeds, -1, memory::slot);
            case KV_TABLE -> table(buffer, entry, feeds);
            case REAL -> {
                buffer.fill((byte) 0);
                for (int r = 0; r < feeds.size(); r++) {
                    buffer.asSlice((long) r * entry.tokens(), feeds.get(r).count()).fill((byte) 1);
                }
            }
            case LAST -> each(buffer, entry, feeds, 0, f -> f.count() - 1);
            case STATE_ROWS -> each(buffer, entry, feeds, -1, f -> f.sequence().row());
        }
    }

    private void fill(SampleSlot slot, MemorySegment buffer, PreparedEntry entry, List<Run.Feed> feeds) {
        switch (slot) {
            case TEMPERATURE -> each(buffer, entry, feeds, 0, f -> bits(sampling(f).temperature()));
            case TOP_K -> each(buffer, entry, feeds, vocabulary, f -> heads.topK(sampling(f)));
            case TOP_P -> each(buffer, entry, feeds, bits(2f), f -> bits(topP(sampling(f))));
            case MIN_P -> each(buffer, entry, feeds, 0, f -> bits(sampling(f).draws() ? sampling(f).filters().minP() : 0f));
            case REPETITION -> each(buffer, entry, feeds, bits(1f), f -> bits(sampling(f).adjustment().repetition()));
            case PRESENCE -> each(buffer, entry, feeds, 0, f -> bits(sampling(f).adjustment().presence()));
            case FREQUENCY -> each(buffer, entry, feeds, 0, f -> bits(sampling(f).adjustment().frequency()));
            case COUNTED -> fill(buffer, entry, feeds, -1, (s, p) -> counts(s, p) ? s.row() * vocabulary + s.token(p) : -1);
            case SEED -> pairs(buffer, entry, feeds, f -> sampling(f).seed());
            case COUNTER -> pairs(buffer, entry, feeds, f -> f.sequence().fed() + f.count());
        }
    }

    private static SamplingParams sampling(Run.Feed f) {
        return f.sequence().request().sampling();
    }

    /** Whether a token is one of the output that the device has not counted yet. */
    private static boolean counts(OpenSequence s, int position) {
        return s.request().sampling().readsHistory() && position >= Math.max(s.prompt(), s.counted());
    }

    private static float topP(SamplingParams s) {
        return !s.draws() || s.filters().topP() >= 1f ? 2f : s.filters().topP();
    }

    private static int bits(float x) {
        return Float.floatToRawIntBits(x);
    }

    private static void bind(RequestInput input, PreparedEntry entry, List<Run.Feed> feeds) {
        InputBinder binder = new InputBinder(input, entry.slot(input.name()).orElseThrow(), entry.tokens());
        binder.clear();
        for (int r = 0; r < feeds.size(); r++) {
            OpenSequence s = feeds.get(r).sequence();
            RequestInputs values = s.request().inputs();
            binder.bind(r, values, s.fed(), feeds.get(r).count());
        }
    }

    // ---- buffers of I32, U32 and F32 words ----

    private interface PerToken {
        int word(OpenSequence s, int position);
    }

    private interface PerRow {
        int word(Run.Feed f);
    }

    private interface PerRowPair {
        long words(Run.Feed f);
    }

    private static void fill(MemorySegment buffer, PreparedEntry entry, List<Run.Feed> feeds, int pad, PerToken value) {
        for (int r = 0; r < entry.rows(); r++) {
            int count = r < feeds.size() ? feeds.get(r).count() : 0;
            for (int t = 0; t < entry.tokens(); t++) {
                int word = t < count ? value.word(feeds.get(r).sequence(), feeds.get(r).sequence().fed() + t) : pad;
                buffer.set(JAVA_INT_UNALIGNED, 4L * ((long) r * entry.tokens() + t), word);
            }
        }
    }

    private void table(MemorySegment buffer, PreparedEntry entry, List<Run.Feed> feeds) {
        long bytes = 4L * entry.key().shape().tableWidth();
        for (int r = 0; r < feeds.size(); r++) {
            memory.table(feeds.get(r).sequence(), buffer.asSlice(r * bytes, bytes));
        }
        buffer.asSlice(feeds.size() * bytes, (entry.rows() - feeds.size()) * bytes).fill((byte) -1);
    }

    private static void each(MemorySegment buffer, PreparedEntry entry, List<Run.Feed> feeds, int pad, PerRow value) {
        for (int r = 0; r < entry.rows(); r++) {
            buffer.set(JAVA_INT_UNALIGNED, 4L * r, r < feeds.size() ? value.word(feeds.get(r)) : pad);
        }
    }

    private static void pairs(MemorySegment buffer, PreparedEntry entry, List<Run.Feed> feeds, PerRowPair value) {
        for (int r = 0; r < entry.rows(); r++) {
            long words = r < feeds.size() ? value.words(feeds.get(r)) : 0;
            buffer.set(JAVA_INT_UNALIGNED, 8L * r, (int) words);
            buffer.set(JAVA_INT_UNALIGNED, 8L * r + 4, (int) (words >>> 32));
        }
    }
}
