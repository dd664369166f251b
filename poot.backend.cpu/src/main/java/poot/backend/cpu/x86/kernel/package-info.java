/**
 * Kernels as machine code: products of staged activations with stored weights. A group of as many weight rows as a vector
 * has lanes is read block by block and transposed in registers, so that a lane belongs to an output; the same bits come
 * out for one activation row and for many, whatever the width of the vectors.
 *
 * <p>{@link poot.backend.cpu.x86.kernel.Staging} stages activations. Few rows of them are multiplied as weights are decoded
 * ({@link poot.backend.cpu.x86.kernel.FewRows}), many with what was decoded once
 * ({@link poot.backend.cpu.x86.kernel.Panels}), and dense weights, which need no decoding, by
 * {@link poot.backend.cpu.x86.kernel.Dense}. {@link poot.backend.cpu.x86.kernel.Emitted} says how they are called.
 *
 * <p>In: a format's rows ({@link poot.backend.cpu.x86.weight.StoredRows}), a width. Out: code. Not here: where it runs.
 */
package poot.backend.cpu.x86.kernel;
