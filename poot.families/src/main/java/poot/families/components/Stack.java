package poot.families.components;

import java.util.List;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StepShape.Logits;

/** The frame of a decoder: embedding, layers, final norm, head. */
public final class Stack {
    private Stack() {}

    /**
     * Embeds the tokens, runs every layer in its scope, and declares the program's output: of a step the logits
     * (F32 [R, V] of the last real tokens, or [R, T, V]); of an encode pass the embedding, F32 [R, E], the final
     * norm of each row's last real token.
     */
    public static void standardStack(Site top, Embedding embedding, List<? extends Block> layers, Norm norm, Head head)
            throws TraceException {
        Value x = embedding.trace(top);                                               // [R, T, E]
        for (int i = 0; i < layers.size(); i++) {
            x = layers.get(i).trace(top.layer(i), x);                                 // [R, T, E]
        }
        boolean encode = top.spec().program() == ProgramName.ENCODE;
        if (encode || top.shape().logits() == Logits.LAST) {
            x = Embedding.last(top, x);                                               // [R, E]
        }
        Value y = norm.apply(top.in("norm"), x);                                      // [R, E] or [R, T, E]
        if (encode) {
            top.b().output(ModelSchema.EMBEDDING, y);
        } else {
            top.b().output(ModelSchema.LOGITS, head.trace(top, y));
        }
    }
}
