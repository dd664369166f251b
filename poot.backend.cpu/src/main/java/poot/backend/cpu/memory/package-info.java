/**
 * Who owns memory. An {@link poot.backend.cpu.memory.Memory} is the named owner of one arena; a
 * {@link poot.backend.cpu.memory.Region} says where a value begins; a {@link poot.backend.cpu.memory.Workspace} is
 * what each worker may scribble on while a kernel runs.
 *
 * <p>In: sizes. Out: segments that live as long as their owner. Not here: what the bytes mean.
 */
package poot.backend.cpu.memory;
