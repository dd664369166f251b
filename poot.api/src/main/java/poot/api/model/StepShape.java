package poot.api.model;

import java.util.Objects;

/**
 * The semantic shape of one step: what specialises a traced graph. Built by {@link #step} or {@link #encode} and the
 * {@code with} methods.
 *
 * @param rows     sequences in the step
 * @param tokens   new tokens of each row, padding included
 * @param capacity positions a row can hold; 0 for a stateless pass
 * @param layout   where cached positions lie
 * @param kv       how keys and values are cached
 * @param logits   for which tokens logits come back
 * @param carriesHidden whether the hidden state of the last layer is carried out for a draft program
 */
public record StepShape(
        int rows, int tokens, int capacity, KvLayout layout, KvForm kv, Logits logits, boolean carriesHidden) {

    /** For which tokens a step returns logits. */
    public enum Logits {
        /** The last real token of each row: [rows, vocabulary]. */
        LAST,
        /** Every token: [rows, tokens, vocabulary]. */
        ALL
    }

    public StepShape {
        if (rows < 1 || tokens < 1 || capacity < 0) {
            throw new IllegalArgumentException("rows " + rows + ", tokens " + tokens + ", capacity " + capacity);
        }
        Objects.requireNonNull(layout);
        Objects.requireNonNull(logits);
        Objects.requireNonNull(kv);
    }

    /** A step of {@code tokens} new tokens for each of {@code rows} rows over a contiguous F32 cache of as many rows. */
    public static StepShape step(int rows, int tokens, int capacity) {
        return new StepShape(rows, tokens, capacity, new KvLayout.Contiguous(rows), KvForm.F32, Logits.LAST, false);
    }

    /** A stateless pass over {@code rows} rows of {@code tokens} tokens. */
    public static StepShape encode(int rows, int tokens) {
        return new StepShape(rows, tokens, 0, new KvLayout.Contiguous(rows), KvForm.F32, Logits.LAST, false);
    }

    /** With that many rows. */
    public StepShape withRows(int n) {
        return new StepShape(n, tokens, capacity, layout, kv, logits, carriesHidden);
    }

    /** With that many new tokens a row. */
    public StepShape withTokens(int n) {
        return new StepShape(rows, n, capacity, layout, kv, logits, carriesHidden);
    }

    /** With rows of that many positions. */
    public StepShape withCapacity(int n) {
        return new StepShape(rows, tokens, n, layout, kv, logits, carriesHidden);
    }

    /** With cached positions laid out so. */
    public StepShape withLayout(KvLayout l) {
        return new StepShape(rows, tokens, capacity, l, kv, logits, carriesHidden);
    }

    /** With keys and values cached in that form. */
    public StepShape withKv(KvForm form) {
        return new StepShape(rows, tokens, capacity, layout, form, logits, carriesHidden);
    }

    /** With logits for those tokens. */
    public StepShape withLogits(Logits l) {
        return new StepShape(rows, tokens, capacity, layout, kv, l, carriesHidden);
    }

    /** With the last hidden state carried out, or not. */
    public StepShape withHiddenCarry(boolean carries) {
        return new StepShape(rows, tokens, capacity, layout, kv, logits, carries);
    }

    /** Slots of each cache pool. */
    public int kvSlots() {
        return layout.slots(capacity);
    }

    /** Slots of one cache block. */
    public int kvBlock() {
        return layout.block(capacity);
    }

    /** Blocks that cover the capacity of one row: the width of the block table. */
    public int tableWidth() {
        return Math.ceilDiv(capacity, kvBlock());
    }
}
