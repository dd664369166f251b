/**
 * How stored weights are read where they are mapped. A {@link poot.backend.cpu.kernel.weight.RowReader} gives the dot
 * products of rows with a vector, and rows as F32 of a cache-sized panel; what differs between formats is a
 * {@link poot.backend.cpu.kernel.weight.BlockKernel}, and a format without one is read through its own decode.
 *
 * <p>In: mapped bytes. Out: F32 in scratch, or sums. Not here: tiling, which is the same for every format.
 */
package poot.backend.cpu.kernel.weight;
