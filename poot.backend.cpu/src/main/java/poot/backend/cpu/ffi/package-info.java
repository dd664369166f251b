/**
 * The one door to native code: memory that can be run, and the call into it.
 *
 * <p>In: machine code, or a size. Out: {@link poot.backend.cpu.ffi.NativeCode}, or the reason why there is none; memory of the
 * {@link poot.backend.cpu.ffi.SystemMemory system}, in {@link poot.backend.cpu.ffi.LargePages} where it has them. Not here: what
 * the code does.
 */
package poot.backend.cpu.ffi;
