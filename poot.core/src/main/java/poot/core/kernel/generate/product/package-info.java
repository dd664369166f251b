/**
 * Products, with stored weights or computed ones, and rows of weights decoded.
 * {@link poot.core.kernel.generate.product.RowProducts} multiplies few computed rows with weights of several extents in one
 * launch, after a norm or none: a subgroup for a few weight rows ({@link poot.core.kernel.generate.product.RowProduct}).
 * {@link poot.core.kernel.generate.product.ManyProduct} multiplies many with weights of one extent, in tiles
 * ({@link poot.core.kernel.generate.product.TileProduct}), of F32 or of fragments.
 * {@link poot.core.kernel.generate.product.ExpertProduct} gives each row a matrix of its own,
 * {@link poot.core.kernel.generate.product.BatchProduct} multiplies two computed operands, and
 * {@link poot.core.kernel.generate.product.DecodeRows} writes rows as they are.
 *
 * <p>In: what is stored, how many rows, an {@link poot.core.kernel.generate.Epilogue}. Out: kernels and grids. Not here: what
 * bits mean ({@link poot.core.kernel.decode}).
 */
package poot.core.kernel.generate.product;
