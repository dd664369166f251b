/**
 * Folds along one axis, seen as [outer, n, inner] ({@link poot.core.kernel.generate.row.Extents}):
 * {@link poot.core.kernel.generate.row.Reduction}; {@link poot.core.kernel.generate.row.Fold} is what it joins elements with.
 *
 * <p>In: extents and element types. Out: kernels. Not here: running folds and choosing, which are in
 * {@link poot.core.kernel.generate.select}.
 */
package poot.core.kernel.generate.row;
