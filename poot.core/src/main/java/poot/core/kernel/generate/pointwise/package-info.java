/**
 * Elementwise equations as kernels. {@link poot.core.kernel.generate.pointwise.Scalars} says what each operation does to one
 * element, {@link poot.core.kernel.generate.pointwise.Expression} is a chain of them, and
 * {@link poot.core.kernel.generate.pointwise.Pointwise} runs one over a shape.
 *
 * <p>In: elementwise operations and where their operands stretch. Out: kernels. Not here: which equations are joined.
 */
package poot.core.kernel.generate.pointwise;
