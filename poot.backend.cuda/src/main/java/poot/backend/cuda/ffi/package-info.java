/**
 * The CUDA driver, and the one place that calls it. {@code Cuda}, {@code Cuda$shared} and the {@code CUDA_*} structs are
 * written by jextract from {@code cuda.h} ({@code bindings/generate.sh}); {@link poot.backend.cuda.ffi.CudaLibrary} finds
 * the library and says what is missing; the other classes are one small class for each thing the driver hands out, every
 * call checked: {@link poot.backend.cuda.ffi.PhysicalDevice}, {@link poot.backend.cuda.ffi.PrimaryContext},
 * {@link poot.backend.cuda.ffi.DriverMemory}, {@link poot.backend.cuda.ffi.DriverStream},
 * {@link poot.backend.cuda.ffi.DriverModule}, {@link poot.backend.cuda.ffi.DriverGraph}. A call that fails is a
 * {@link poot.backend.cuda.ffi.CudaException} with the driver's own name for the error. Nothing here knows what is computed.
 */
package poot.backend.cuda.ffi;
