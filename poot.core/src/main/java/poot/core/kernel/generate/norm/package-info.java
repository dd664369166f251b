/**
 * Composites along the features of a token: {@link poot.core.kernel.generate.norm.NormRows}, root mean square and layer
 * normalisation, and {@link poot.core.kernel.generate.norm.RopeTurn}, rotary positions.
 *
 * <p>In: rows of features. Out: kernels. Not here: what is added or multiplied before and after.
 */
package poot.core.kernel.generate.norm;
