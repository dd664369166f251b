/**
 * What a GPU backend is to the rest: a {@link poot.core.kernel.device.Device} with
 * {@link poot.core.kernel.device.DeviceMemory}, {@link poot.core.kernel.device.CompiledKernel}s and
 * {@link poot.core.kernel.device.Recording}s of {@link poot.core.kernel.device.Command}s. A step writes host buffers,
 * runs one recording and reads host buffers; nothing is allocated in it.
 *
 * <p>In: kernels of {@link poot.core.kernel.ir}, and bytes. Out: bytes. A device knows nothing of graphs, programs or
 * packed formats.
 */
package poot.core.kernel.device;
