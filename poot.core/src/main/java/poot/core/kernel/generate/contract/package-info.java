/**
 * Products of two computed operands: {@link poot.core.kernel.generate.contract.PlainProduct}.
 *
 * <p>In: extents and element types. Out: kernels. Not here: products with stored weights, attention.
 */
package poot.core.kernel.generate.contract;
