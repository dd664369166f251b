/**
 * Attention. An {@link poot.core.kernel.generate.attention.AttentionSpec} says what is computed;
 * {@link poot.core.kernel.generate.attention.AttendFew} computes it for a few queries over many keys, and
 * {@link poot.core.kernel.generate.attention.AttendMany} for tiles of queries; either reads a long cache in parts, which
 * {@link poot.core.kernel.generate.attention.JoinParts} joins. {@link poot.core.kernel.generate.attention.AttentionChoice}
 * says which of them a step runs.
 *
 * <p>In: queries, keys and values of this step and before, a table of blocks. Out: F32. Scores, weights and sums are F32.
 * Not here: what writes the cache; products before and after.
 */
package poot.core.kernel.generate.attention;
