/**
 * Elementwise kernels: an {@link poot.backend.cpu.kernel.pointwise.Expression} computes a result tile by tile. A
 * {@link poot.backend.cpu.kernel.pointwise.View} fills a register from an operand, broadcast on the way;
 * {@link poot.backend.cpu.kernel.pointwise.Instruction}s compute register from registers with the loops of
 * {@code FloatLoops} and {@code WordLoops}.
 *
 * <p>In: operands of any shape that broadcasts. Out: one dense value. Not here: reductions and movement.
 */
package poot.backend.cpu.kernel.pointwise;
