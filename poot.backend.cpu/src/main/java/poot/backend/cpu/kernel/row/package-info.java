/**
 * Kernels along one axis: norms, reductions, arg-reductions, the largest k, running reductions. An
 * {@link poot.backend.cpu.kernel.row.Axis} sees a tensor as [outer, n, inner].
 *
 * <p>In: dense F32 or I32 values. Out: dense values. Not here: softmax, which lives inside attention.
 */
package poot.backend.cpu.kernel.row;
