/**
 * Kernels that move or make elements without arithmetic: block and strided copies, rows by index, iota, random words.
 *
 * <p>In: dense values, indices. Out: dense values. Not here: reshapes, which move nothing, and packed rows, which are
 * decoded by the weight kernels.
 */
package poot.backend.cpu.kernel.move;
