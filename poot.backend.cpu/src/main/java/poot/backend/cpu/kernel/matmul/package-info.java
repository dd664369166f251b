/**
 * Matrix products. {@link poot.backend.cpu.kernel.matmul.DotTile} (a · bᵀ) and
 * {@link poot.backend.cpu.kernel.matmul.SumTile} (a · b) are the register-blocked cores on cache-resident operands;
 * a {@link poot.backend.cpu.kernel.matmul.TiledProduct} computes a product with a stored weight some columns at a time,
 * {@link poot.backend.cpu.kernel.matmul.WeightProducts} says by which kernel, and
 * {@link poot.backend.cpu.kernel.matmul.Product} multiplies two values.
 *
 * <p>In: F32 values, stored weights. Out: F32, accumulated in F32. Not here: what a format's bytes mean.
 */
package poot.backend.cpu.kernel.matmul;
