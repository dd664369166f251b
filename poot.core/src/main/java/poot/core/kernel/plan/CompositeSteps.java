package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.List;
import poot.api.executor.ExecutorException;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.core.kernel.device.Argument;
import poot.core.kernel.generate.Stages;
import poot.core.kernel.generate.attention.AttentionChoice;
import poot.core.kernel.generate.attention.AttentionSpec;
import poot.core.kernel.generate.attention.CacheForm;
import poot.core.kernel.generate.norm.NormRows;
import poot.core.kernel.generate.norm.RopeTurn;

/** The steps of composites that have kernels of their own. */
final class CompositeSteps {
    /** Codes of a word of a coded cache. */
    private static final int CODES = 4;

    private final Planning to;
    private final Equation e;

    CompositeSteps(Planning to, Equation e) {
        this.to = to;
        this.e = e;
    }

    /** Adds the steps; IllegalArgumentException of shapes that the kernels do not take. */
    void add(Composite composite) throws ExecutorException {
        switch (composite) {
            case Composite.RmsNorm n -> norm(n);
            case Composite.LayerNorm n -> norm(n);
            case Composite.Rope r -> rope(r);
            case Composite.Attention a -> attention(a);
            case Composite.FullAttention a -> fullAttention(a);
            case Composite.Gated g -> throw to.unsupported(e, "a kernel of its own");
            case Composite.Activate a -> throw to.unsupported(e, "a kernel of its own");
        }
    }

    private Shape shape(int i) {
        return e.inputs().get(i).shape();
    }

    private Operand out() throws ExecutorException {
        return to.result(e.output());
    }

    // ---- norms ----

    private void norm(Composite composite) throws ExecutorException {
        List<Operand> in = new ArrayList<>();
        for (Value v : e.inputs()) {
            in.add(to.operand(v));
        }
        for (int i = 1; i < in.size(); i++) {
            if (in.get(i).element() != in.get(1).element()) {
                in.set(1, to.exact(e.inputs().get(1)));
                in.set(i, to.exact(e.inputs().get(i)));
            }
        }
        int width = shape(0).dim(-1);
        int rows = Math.toIntExact(shape(0).count() / width);
        boolean aligned = in.stream().allMatch(Operand::beginsAtFour);
        ElementType x = in.get(0).element();
        ElementType w = in.get(1).element();
        NormRows g = switch (composite) {
            case Composite.RmsNorm n -> NormRows.of(n, x, w, width, aligned);
            case Composite.LayerNorm n -> NormRows.of(n, x, w, width, aligned);
            default -> throw new IllegalArgumentException(composite.name() + " is no norm");
        };
        List<Actual> actuals = new ArrayList<>();
        in.forEach(o -> actuals.add(o.span()));
        actuals.add(out().span());
        actuals.add(new Actual.Scalar(Argument.u32(rows)));
        to.call(g, g.grid(to.limits(), rows), actuals.toArray(Actual[]::new));
    }

    private void rope(Composite.Rope r) throws ExecutorException {
        Shape x = shape(0);
        int tokens = Math.multiplyExact(x.dim(0), x.dim(1));
        RopeTurn g = new RopeTurn(r, x.dim(2), x.dim(3));
        List<Span> in = operands();
        to.call(g, g.grid(to.limits(), tokens), in.get(0), in.get(1), in.get(2), out().span(), new Actual.Scalar(Argument.u32(tokens)));
    }

    private List<Span> operands() throws ExecutorException {
        List<Span> out = new ArrayList<>();
        for (Value v : e.inputs()) {
            out.add(to.exact(v).span());
        }
        return out;
    }

    // ---- attention ----

    private void attention(Composite.Attention a) throws ExecutorException {
        Shape q = shape(0);
        Shape k = shape(1);
        ElementType stored = e.inputs().get(1).element();
        if (stored != e.inputs().get(2).element() || a.coded() && stored != ElementType.I32) {
            throw to.unsupported(e, "attention over keys and values of different element types");
        }
        CacheForm form = a.coded() ? CacheForm.CODED : CacheForm.of(stored);
        int valueWidth = shape(2).dim(-1) * (a.coded() ? CODES : 1);
        AttentionSpec spec = AttentionSpec.of(a, q.dim(2), k.dim(1), q.dim(3), valueWidth, form);
        attend(AttentionChoice.cached(spec, q.dim(0), q.dim(1), shape(3).dim(1), k.dim(0)).stages(to.limits()));
    }

    private void fullAttention(Composite.FullAttention a) throws ExecutorException {
        Shape q = shape(0);
        if (e.inputs().get(1).element() != ElementType.F32 || e.inputs().get(2).element() != ElementType.F32) {
            throw to.unsupported(e, "attention inside a pass over narrow keys or values");
        }
        AttentionSpec spec = AttentionSpec.of(a, q.dim(2), shape(1).dim(2), q.dim(3), shape(2).dim(3));
        attend(AttentionChoice.whole(spec, q.dim(0), q.dim(1)).stages(to.limits()));
    }

    private void attend(Stages stages) throws ExecutorException {
        new StagedSteps(to).add(stages, operands(), List.of(out().span()));
    }
}
