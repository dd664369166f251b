/**
 * The compiler: one road from a traced {@link poot.api.graph.Graph} to the
 * {@link poot.api.executor.Program} a backend runs. {@link poot.core.compile.Compiler} walks
 * {@link poot.core.compile.Passes} in order, with {@link poot.core.compile.Verifier} between passes when asked, then
 * {@link poot.core.compile.GroupKernels}, {@link poot.core.compile.FuseElementwise} and
 * {@link poot.core.compile.PlanBuffers}.
 *
 * <p>In: a graph, the stored weights by role, a {@link poot.api.executor.Target}. Out: a program, or a typed
 * {@link poot.core.compile.CompileException}. Not here: kernels, devices, families.
 */
package poot.core.compile;
