/**
 * Kernels along one axis, seen as [outer, n, inner]: {@link poot.core.kernel.generate.row.Reduction},
 * {@link poot.core.kernel.generate.row.ArgReduction} and {@link poot.core.kernel.generate.row.PrefixSum};
 * {@link poot.core.kernel.generate.row.Fold} is what they join elements with.
 *
 * <p>In: extents and element types. Out: kernels. Not here: which rows are joined with what.
 */
package poot.core.kernel.generate.row;
