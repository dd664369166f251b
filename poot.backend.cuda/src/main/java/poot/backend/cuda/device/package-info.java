/**
 * A CUDA device behind the one interface that programs run over. {@link poot.backend.cuda.device.CudaDevices} says which
 * devices there are and whether any can be used; {@link poot.backend.cuda.device.CudaDevice} is one that is open: its
 * memory, kernels assembled by the driver from {@link poot.backend.cuda.ptx} text, and recordings, each a CUDA graph built
 * once and replayed. Whatever the driver refuses becomes an {@link poot.api.executor.ExecutorException}: OutOfMemory,
 * Unsupported, or DeviceFailed. Comes in: kernels, commands and bytes. Nothing here knows what is computed.
 */
package poot.backend.cuda.device;
