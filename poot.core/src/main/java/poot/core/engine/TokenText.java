package poot.core.engine;

import java.util.Objects;
import poot.api.driver.Pick;

/**
 * A token and its place in the text of a reply.
 *
 * @param pick   the token, with its logprobs where the request asked for them
 * @param index  its place in the answer, from 0
 * @param offset where its text begins, in chars of the reply's whole text
 * @param text   the text that became certain with it; empty where it ends inside a character, which is then the next
 *     token's. A token that a stop string cuts has the part before the cut
 */
public record TokenText(Pick pick, int index, int offset, String text) {
    public TokenText {
        Objects.requireNonNull(pick);
        Objects.requireNonNull(text);
    }
}
