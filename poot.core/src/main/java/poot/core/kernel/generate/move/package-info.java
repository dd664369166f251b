/**
 * Kernels that move elements: {@link poot.core.kernel.generate.move.Move} between layouts,
 * {@link poot.core.kernel.generate.move.GatherRows}, {@link poot.core.kernel.generate.move.TakeAlong} and
 * {@link poot.core.kernel.generate.move.ScatterRows} by indices
 * ({@link poot.core.kernel.generate.move.RowIndices}), {@link poot.core.kernel.generate.move.Counting} from nothing.
 *
 * <p>In: extents, strides, element types. Out: kernels. Not here: packed rows.
 */
package poot.core.kernel.generate.move;
