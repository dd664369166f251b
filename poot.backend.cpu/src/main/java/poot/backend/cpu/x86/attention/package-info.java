/**
 * Attention as machine code: one tile of positions against some queries, which are lanes: scores, their softmax, and the
 * sums of values. Every sum goes from one position or feature to the next, so that its bits do not depend on the width of
 * the vectors.
 *
 * <p>In: extents, a width. Out: code. Not here: where it runs, masks by token, splits.
 */
package poot.backend.cpu.x86.attention;
