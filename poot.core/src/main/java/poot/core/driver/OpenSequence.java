package poot.core.driver;

import java.util.Arrays;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.core.kv.BlockTable;

/** An open sequence: its tokens, how many of them the device holds, and the row it owns. */
final class OpenSequence implements Sequence {
    private final Serving owner;
    private final long id;
    private final int row;
    private final SeqRequest request;
    private final int prompt;
    private int[] tokens;
    private int length;
    private int fed;
    private int counted;
    private int proven;
    private int reused;
    private boolean doubtful;
    private BlockTable table;
    private boolean shares;
    private Phase phase = Phase.PENDING;

    OpenSequence(Serving owner, long id, int row, SeqRequest request) {
        this.owner = owner;
        this.id = id;
        this.row = row;
        this.request = request;
        this.tokens = request.prompt();
        this.prompt = tokens.length;
        this.length = prompt;
    }

    Serving owner() {
        return owner;
    }

    /** The row of the pools it owns. */
    int row() {
        return row;
    }

    SeqRequest request() {
        return request;
    }

    /** Tokens of the prompt. */
    int prompt() {
        return prompt;
    }

    /** Tokens so far. */
    int length() {
        return length;
    }

    /** The tokens so far, and room behind them: not to be written. */
    int[] held() {
        return tokens;
    }

    /** The blocks of its own, and whether others may share what is in them. */
    void own(BlockTable t, boolean sharing) {
        table = t;
        shares = sharing;
    }

    /** Its blocks; null where its row owns its memory. */
    BlockTable table() {
        return table;
    }

    @Override
    public boolean shares() {
        return shares;
    }

    int token(int position) {
        return tokens[position];
    }

    void append(int token) {
        if (length == tokens.length) {
            tokens = Arrays.copyOf(tokens, Math.max(16, 2 * length));
        }
        tokens[length++] = token;
        phase = Phase.PENDING;
    }

    /** The first {@code n} tokens were found: they are not fed. */
    void reuse(int n) {
        fed = n;
        proven = n;
        reused = n;
    }

    void feed(int n) {
        fed += n;
        counted = Math.max(counted, fed);
        phase = fed == length ? Phase.PICKED : Phase.PENDING;
    }

    /** Tokens that were fed at some time, before a suspension too: output tokens among them are counted. */
    int counted() {
        return counted;
    }

    /** What was fed gave finite logits: none of it is spoilt. */
    void prove() {
        proven = fed;
    }

    /** Tokens fed that are known to have spoilt nothing. */
    int proven() {
        return proven;
    }

    /** Whether what it wrote may hold NaN. */
    boolean spoils() {
        return phase == Phase.FAILED || doubtful || proven < fed;
    }

    /** Nothing is fed any more; a choice that awaits its commit still does. */
    void suspend() {
        keep(0);
        reused = 0;
    }

    private void keep(int n) {
        doubtful |= proven < fed;
        fed = Math.min(fed, n);
        proven = Math.min(proven, n);
    }

    /** Keeps {@code n} tokens; the last of them, and what was not fed yet, is to be fed. */
    void cut(int n) {
        length = n;
        keep(n - 1);
        phase = Phase.PENDING;
    }

    void fail() {
        phase = Phase.FAILED;
    }

    void close() {
        phase = Phase.RELEASED;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public int[] tokens() {
        return Arrays.copyOf(tokens, length);
    }

    @Override
    public int fed() {
        return fed;
    }

    @Override
    public int reused() {
        return reused;
    }

    @Override
    public int pending() {
        return length - fed;
    }

    @Override
    public Phase phase() {
        return phase;
    }

    @Override
    public String toString() {
        return "sequence " + id + " " + phase + ", " + fed + " of " + length + " tokens fed";
    }
}
