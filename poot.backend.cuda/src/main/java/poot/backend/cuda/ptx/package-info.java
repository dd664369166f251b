/**
 * Kernels as PTX text. {@link poot.backend.cuda.ptx.PtxEmitter} writes a {@link poot.core.kernel.ir.DeviceKernel} for a
 * {@link poot.backend.cuda.ptx.PtxTarget}, which says what a device's compute capability and its driver's version allow.
 * One class for each concern: {@code PtxRegisters} (which PTX registers stand for a register), {@code KernelFacts} (what is
 * the same in a warp, what only reads), {@code Arithmetic}, {@code Conversions}, {@code MemoryAccess}, {@code WarpOperations},
 * {@code MatrixFragments}, {@code Flow}. Comes in: a validated kernel of subgroups of 32. Goes out: a module with one entry.
 * Nothing here calls the driver.
 */
package poot.backend.cuda.ptx;
