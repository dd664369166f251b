/**
 * The rows of each stored format as emitted code reads them: what stands where in a block, as lanes of codes, scales and
 * minimums, for activations staged in its {@link poot.backend.cpu.x86.weight.Layout}. {@link poot.backend.cpu.x86.weight.StoredRows} is the one thing kernels know of a format.
 *
 * <p>In: a format's encoding. Out: the code of one step along k. Not here: products, panels.
 */
package poot.backend.cpu.x86.weight;
