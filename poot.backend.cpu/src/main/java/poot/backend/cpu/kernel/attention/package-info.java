/**
 * Attention and what belongs to it. {@link poot.backend.cpu.kernel.attention.Attention} walks the positions that are
 * seen, tile by tile, with an online softmax; a {@link poot.backend.cpu.kernel.attention.Keys} says where keys and
 * values lie and who sees them; a {@code Cut} how heads are shared among workers;
 * {@link poot.backend.cpu.kernel.attention.Rotation} turns features by position.
 *
 * <p>In: queries, cached keys and values of any float type. Out: F32. Not here: writing the cache, which is a scatter.
 */
package poot.backend.cpu.kernel.attention;
