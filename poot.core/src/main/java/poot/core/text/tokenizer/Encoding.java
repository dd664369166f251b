package poot.core.text.tokenizer;

/**
 * What a model is fed for one or two texts.
 *
 * @param ids     token ids
 * @param typeIds as many token type ids: 0 for the first text, mostly 1 for the second
 */
public record Encoding(int[] ids, int[] typeIds) { }
