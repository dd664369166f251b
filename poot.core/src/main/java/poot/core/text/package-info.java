/**
 * The text services of a checkpoint: {@link poot.core.text.CheckpointTextCodec} puts its tokenizer and its chat
 * templates together as one {@link poot.api.model.TextCodec}; {@link poot.core.text.ContinuedText} reads what follows a
 * prompt.
 *
 * <p>In: a checkpoint's files or metadata. Out: the codec. Not here: how tokenizers and templates work.
 */
package poot.core.text;
