/**
 * From a program to what a device is told. {@link poot.core.kernel.plan.Planning} walks the kernels of a
 * {@link poot.api.executor.Program}; {@link poot.core.kernel.plan.Places} says in which
 * {@link poot.core.kernel.plan.Span} every value lies; {@link poot.core.kernel.plan.EquationSteps} turns an equation into
 * {@link poot.core.kernel.plan.Step}s, each a generator with its arguments, {@link poot.core.kernel.plan.ContractionSteps} products
 * with what is applied to them and the norm before them ({@link poot.core.kernel.plan.NormBefore}),
 * {@link poot.core.kernel.plan.RowSteps} what goes through rows as one; {@link poot.core.kernel.plan.Hazards} says
 * which of them must wait. The result is a {@link poot.core.kernel.plan.Plan}. {@link poot.core.kernel.plan.Refusals} says what
 * has no kernel.
 *
 * <p>In: a program, resident weights, a device's limits. Out: steps over named memory. Not here: allocating, running.
 */
package poot.core.kernel.plan;
