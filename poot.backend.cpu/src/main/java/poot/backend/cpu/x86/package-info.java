/**
 * An assembler for the few x86-64 instructions the emitted kernels use. {@link poot.backend.cpu.x86.Assembler} lays down
 * bytes; {@link poot.backend.cpu.x86.Instruction} says how a vector instruction is encoded, by VEX where that reaches and
 * by EVEX elsewhere; {@link poot.backend.cpu.x86.Simd} is the vector width and what the processor can do with it.
 *
 * <p>In: instructions, registers, operands. Out: position-independent bytes. Not here: memory that can be run, kernels.
 */
package poot.backend.cpu.x86;
