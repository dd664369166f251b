/**
 * The rows of each stored format as emitted code reads them: what stands where in a block, as lanes of codes, scales and
 * minimums, for activations staged in its {@link poot.backend.cpu.x86.weight.Layout}.
 * {@link poot.backend.cpu.x86.weight.StoredRows} is the one thing kernels know of a format; of dense weights, which need no
 * decoding, it is {@link poot.backend.cpu.x86.weight.DenseFormat}.
 * {@link poot.backend.cpu.x86.weight.Placement} finds it for a weight and says where the weight's parts lie;
 * {@link poot.backend.cpu.x86.weight.Parts} is how code goes through them. Of weights whose rows lie side by side rows are made
 * ({@link poot.backend.cpu.x86.weight.Regrouping}).
 *
 * <p>In: a weight's format and extents. Out: the code of one step along k. Not here: products, panels.
 */
package poot.backend.cpu.x86.weight;
