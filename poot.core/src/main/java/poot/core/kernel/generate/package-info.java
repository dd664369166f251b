/**
 * Kernels made to measure. A {@link poot.core.kernel.generate.Generator} is a record that says everything its code
 * depends on and writes the {@link poot.core.kernel.ir.DeviceKernel}; rooms below hold them by the shape of their
 * computation. {@link poot.core.kernel.generate.Elements} is how the elements of tensors lie in memory,
 * {@link poot.core.kernel.generate.Flat} a thread for each element, {@link poot.core.kernel.generate.Strided} where
 * operands that are stretched, turned or cut have their elements, {@link poot.core.kernel.generate.Epilogue} what is done
 * with the sums of a product before they are stored, {@link poot.core.kernel.generate.Rowed} a kernel that a workgroup can run
 * for some rows between others.
 *
 * <p>In: shapes, element types, what to compute. Out: kernels and grids. Not here: where values lie, which is
 * {@code poot.core.kernel.plan}; memory and devices.
 */
package poot.core.kernel.generate;
