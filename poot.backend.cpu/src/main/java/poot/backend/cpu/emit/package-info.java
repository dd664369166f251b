/**
 * Emitted kernels as the backend uses them: which vectors this processor has, code made once and kept
 * ({@link poot.backend.cpu.emit.Emitter}), and activations staged for it.
 *
 * <p>In: what a kernel needs. Out: its code. Not here: instructions ({@code x86}), pages that can be run ({@code ffi}).
 */
package poot.backend.cpu.emit;
