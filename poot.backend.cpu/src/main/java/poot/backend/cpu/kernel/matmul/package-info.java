/**
 * Matrix products. {@link poot.backend.cpu.kernel.matmul.DotTile} (a · bᵀ) and
 * {@link poot.backend.cpu.kernel.matmul.SumTile} (a · b) are the register-blocked cores on cache-resident operands;
 * {@link poot.backend.cpu.kernel.matmul.WeightProduct} tiles a product with a stored weight, whatever its format, and
 * {@link poot.backend.cpu.kernel.matmul.Product} one of two values.
 *
 * <p>In: F32 values, stored weights. Out: F32, accumulated in F32. Not here: what a format's bytes mean.
 */
package poot.backend.cpu.kernel.matmul;
