package poot.core.compile;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import poot.api.executor.Kernel;
import poot.api.executor.Program;
import poot.api.executor.Target;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.core.compile.PassEffect.Unit;

/** Turns a traced graph into a program for a target: the passes, then grouping and the passes over kernels, then planning. */
public final class Compiler {
    /** Is told nothing: whether a pass changed a graph is found out by comparing all of it. */
    private static final Consumer<PassEffect> NOBODY = effect -> { };

    private Compiler() {}

    /**
     * The program of a graph.
     *
     * @param graph   a traced step
     * @param weights the stored weight of every role the graph reads
     * @param target  the backend to compile for
     * @throws CompileException naming the equation and the missing capability, the unbound weight, or the rule broken
     */
    public static Program compile(Graph graph, Map<Role, Weight> weights, Target target, CompileOptions options)
            throws CompileException {
        return compile(graph, weights, target, options, NOBODY);
    }

    /** Likewise, and tells what each pass did, in order. */
    static Program compile(
            Graph graph, Map<Role, Weight> weights, Target target, CompileOptions options, Consumer<PassEffect> told)
            throws CompileException {
        if (options.verify()) {
            Verifier.check(graph, "tracing");
        }
        Graph g = graph;
        for (Pass pass : Passes.list(weights, target)) {
            Graph next = pass.apply(g);
            if (told != NOBODY) {
                told.accept(new PassEffect(
                        pass.name(), Unit.EQUATIONS, g.equations().size(), next.equations().size(), !next.equals(g)));
            }
            g = next;
            if (options.verify()) {
                Verifier.check(g, pass.name());
            }
        }
        List<Kernel> kernels = GroupKernels.of(g);
        told.accept(new PassEffect("GroupKernels", Unit.KERNELS, g.equations().size(), kernels.size(), true));
        for (KernelPass pass : Passes.kernels(options.fusion(), target)) {
            List<Kernel> next = pass.apply(g, kernels);
            if (told != NOBODY) {
                told.accept(new PassEffect(pass.name(), Unit.KERNELS, kernels.size(), next.size(), !next.equals(kernels)));
            }
            kernels = next;
            if (options.verify()) {
                PlanVerifier.check(planned(g, kernels), pass.name());
            }
        }
        Program program = planned(g, kernels);
        if (options.verify()) {
            PlanVerifier.check(program, "planning");
        }
        return program;
    }

    private static Program planned(Graph g, List<Kernel> kernels) throws CompileException {
        return new Program(g, kernels, PlanBuffers.of(g, kernels));
    }
}
