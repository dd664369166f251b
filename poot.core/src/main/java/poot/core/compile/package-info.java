/**
 * The compiler: one road from a traced {@link poot.api.graph.Graph} to the
 * {@link poot.api.executor.Program} a backend runs. {@link poot.core.compile.Compiler} walks
 * {@link poot.core.compile.Passes} in order, with {@link poot.core.compile.Verifier} between passes when asked, then
 * {@link poot.core.compile.GroupKernels}, the kernel passes {@link poot.core.compile.AbsorbGathers}, {@link poot.core.compile.FuseElementwise},
 * {@link poot.core.compile.ShareOperand}, {@link poot.core.compile.FuseEpilogues} and
 * {@link poot.core.compile.FuseRows}, then {@link poot.core.compile.PlanBuffers}, with
 * {@link poot.core.compile.PlanVerifier} after each when asked. {@link poot.core.compile.Explanation} tells what all of
 * them did and what the program costs.
 *
 * <p>In: a graph, the stored weights by role, a {@link poot.api.executor.Target}. Out: a program, or a typed
 * {@link poot.core.compile.CompileException}. Not here: kernels, devices, families.
 */
package poot.core.compile;
