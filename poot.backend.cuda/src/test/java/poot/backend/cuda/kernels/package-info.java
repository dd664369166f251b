/**
 * Kernels for tests, each with what it is run with: {@code KernelCase} runs on any device, so that two can be compared;
 * {@code Instructions}, {@code MemoryKernels}, {@code FlowKernels} and {@code FragmentKernels} together hold every
 * instruction; {@code RandomKernels} makes more of them from a seed.
 */
package poot.backend.cuda.kernels;
