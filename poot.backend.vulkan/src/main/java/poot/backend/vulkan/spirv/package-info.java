/**
 * Kernels as SPIR-V. {@link poot.backend.vulkan.spirv.SpirvEmitter} takes a
 * {@link poot.core.kernel.ir.DeviceKernel} and a {@link poot.backend.vulkan.spirv.SpirvTarget}, and gives
 * {@link poot.backend.vulkan.spirv.SpirvCode}: the words of a module and the
 * {@link poot.backend.vulkan.spirv.ParameterLayout} of its parameters. Within, one class writes each concern: flow,
 * arithmetic, conversions, memory of the device, shared memory, lanes, matrices.
 *
 * <p>Not here: Vulkan. Nothing in this package touches a device.
 */
package poot.backend.vulkan.spirv;
