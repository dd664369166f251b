/**
 * What goes through rows. {@link poot.core.kernel.generate.row.Reduction} folds along one axis, seen as [outer, n, inner]
 * ({@link poot.core.kernel.generate.row.Extents}); {@link poot.core.kernel.generate.row.Fold} is what it joins elements with.
 * {@link poot.core.kernel.generate.row.RowGroup} is several kernels of any room that go through rows together, as one.
 *
 * <p>In: extents and element types, kernels. Out: kernels. Not here: running folds and choosing, which are in
 * {@link poot.core.kernel.generate.select}.
 */
package poot.core.kernel.generate.row;
