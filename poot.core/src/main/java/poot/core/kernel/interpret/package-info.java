/**
 * Kernels run without a device, for tests: an {@link poot.core.kernel.interpret.InterpretedDevice} is a
 * {@link poot.core.kernel.device.Device} whose {@link poot.core.kernel.interpret.Interpreter} gives each instruction
 * its plain meaning and refuses, as a {@link poot.core.kernel.interpret.KernelFault}, whatever a real device would
 * answer with garbage.
 *
 * <p>In: commands over kernels of {@link poot.core.kernel.ir}. Out: bytes, or a fault that names kernel, instruction,
 * workgroup and thread. Not here: speed.
 */
package poot.core.kernel.interpret;
