package poot.api.model;

import java.util.Locale;

/** The programs a model may offer, named by the driver service that runs them. */
public enum ProgramName {
    /** Continue the carried state of each row by its new tokens and return logits: prefill and decode alike. */
    STEP,
    /** One stateless pass over whole rows, returning embeddings or scores. */
    ENCODE,
    /** A multi-token-prediction layer over the hidden-state carry and the host tokens that follow it. */
    DRAFT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
