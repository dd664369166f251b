/**
 * What all kernels share: a {@link poot.backend.cpu.kernel.Step} is prepared once with its operands resolved and then
 * run, {@link poot.backend.cpu.kernel.Lanes} names the vector shapes, {@link poot.backend.cpu.kernel.Functions} holds
 * the vector forms of exp, tanh and erf.
 *
 * <p>In: regions. Out: regions filled. A run allocates nothing. Not here: programs and places.
 */
package poot.backend.cpu.kernel;
