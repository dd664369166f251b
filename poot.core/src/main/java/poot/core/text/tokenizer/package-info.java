/**
 * Text to token ids and back.
 *
 * <p>In data order: {@link poot.core.text.tokenizer.TokenizerJson} and {@link poot.core.text.tokenizer.GgufTokenizer}
 * read a checkpoint's description and build a {@link poot.core.text.tokenizer.Tokenizer}: added tokens are cut out,
 * the text between is normalized (TextNormalizer), cut into words (PreTokenizer), each word becomes ids (PieceModel:
 * byte pairs by rank or by score, unigram, WordPiece), and special tokens go around the result (Template).
 * {@link poot.core.text.tokenizer.StreamDecoder} turns ids back into text as they come (TextDecoder).
 *
 * <p>In goes a tokenizer.json or GGUF metadata, from strangers: every length, id, nesting and pattern in it is
 * bounded, and what cannot be read is refused by name. Out come immutable tokenizers. Chat templates, sampling and
 * grammars do not belong here.
 */
package poot.core.text.tokenizer;
