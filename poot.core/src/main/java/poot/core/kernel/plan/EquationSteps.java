package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Stages;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.generate.move.Counting;
import poot.core.kernel.generate.move.GatherRows;
import poot.core.kernel.generate.move.ScatterRows;
import poot.core.kernel.generate.move.TakeAlong;
import poot.core.kernel.generate.product.BatchProduct;
import poot.core.kernel.generate.row.Extents;
import poot.core.kernel.generate.row.Reduction;
import poot.core.kernel.generate.select.Best;
import poot.core.kernel.generate.select.LongFold;
import poot.core.kernel.generate.select.RandomWords;
import poot.core.kernel.generate.select.Scan;
import poot.core.kernel.generate.select.TopK;

/** The steps of one equation that is not elementwise. */
final class EquationSteps {
    /** Elements of a line from which several workgroups fold it, however many lines there are: a line's sum depends on itself alone. */
    private static final int LONG = 1 << 15;
    /** And up to which they can. */
    private static final int LONGEST = 1 << 24;

    private final Planning to;
    private final Equation e;

    EquationSteps(Planning to, Equation e) {
        this.to = to;
        this.e = e;
    }

    /** Adds the steps. */
    void add() throws ExecutorException {
        Optional<String> lack = Refusals.of(e);
        if (lack.isPresent()) {
            throw to.unsupported(e, lack.get());
        }
        if (e.outputs().stream().allMatch(v -> v.shape().count() == 0)) {
            return;
        }
        try {
            steps();
        } catch (IllegalArgumentException extents) {
            throw to.unsupported(e, extents);
        }
    }

    private void steps() throws ExecutorException {
        switch (e.op()) {
            case Op.Const c -> throw leaf();
            case Op.Slot s -> throw leaf();
            case Op.State s -> throw leaf();
            case Op.Param p -> throw leaf();
            case Op.Literal l -> throw leaf();
            case Op.Unary u -> throw elementwise();
            case Op.Binary b -> throw elementwise();
            case Op.Compare c -> throw elementwise();
            case Op.Select s -> throw elementwise();
            case Op.Cast c -> throw elementwise();
            case Op.TopK t -> topK(t);
            case Op.RandomBits r -> randomBits(r);
            case Op.Composed c -> new CompositeSteps(to, e).add(c.composite());
            case Op.PackedDecode p -> new WeightSteps(to).decode(e, to.weight(in(0)).orElseThrow(this::unread), out());
            case Op.Iota i -> count(i);
            case Op.Reduce r -> reduce(r);
            case Op.ArgReduce r -> argReduce(r);
            case Op.PrefixScan p -> scan(p);
            case Op.MatMul m -> matMul(m);
            case Op.Reshape r -> new Moving(to).whole(to.exact(in(0)), out());
            case Op.Transpose t -> transpose(t);
            case Op.Slice s -> slice(s);
            case Op.Concat c -> concat(c);
            case Op.Broadcast b -> move(Strided.stretched(in(0).shape(), b.shape()), 0, out().shape(), Strided.dense(out().shape()), 0);
            case Op.Pad p -> pad(p);
            case Op.Gather g -> gather();
            case Op.TakeAlong t -> take();
            case Op.ScatterUpdate s -> scatter(s);
        }
    }

    private IllegalStateException leaf() {
        return new IllegalStateException("a leaf: " + e);
    }

    private ExecutorException unread() {
        return Places.mismatch("not a weight: " + e);
    }

    private IllegalStateException elementwise() {
        return new IllegalStateException("elementwise: " + e);
    }

    private Value in(int i) {
        return e.inputs().get(i);
    }

    private Operand out() throws ExecutorException {
        return to.result(e.outputs().getFirst());
    }

    private Span span(int i) throws ExecutorException {
        return to.exact(in(i)).span();
    }

    // ---- rows ----

    private void count(Op.Iota i) throws ExecutorException {
        Extents at = Extents.of(i.shape(), i.axis());
        Counting g = new Counting(at.outer(), at.n(), at.inner());
        to.call(g, g.grid(to.limits()), out().span());
    }

    private void reduce(Op.Reduce r) throws ExecutorException {
        Extents at = Extents.of(in(0).shape(), r.axis());
        if (at.n() >= LONG && at.n() <= LONGEST) {
            staged(new LongFold(r.kind(), in(0).element(), at.outer(), at.n(), at.inner()).stages(to.limits()));
            return;
        }
        Reduction g = new Reduction(r.kind(), in(0).element(), at);
        to.call(g, g.grid(to.limits()), span(0), out().span());
    }

    private void argReduce(Op.ArgReduce r) throws ExecutorException {
        Extents at = Extents.of(in(0).shape(), r.axis());
        staged(new Best(r.largest(), in(0).element(), at.outer(), at.n(), at.inner()).stages(to.limits()));
    }

    private void scan(Op.PrefixScan p) throws ExecutorException {
        Extents at = Extents.of(in(0).shape(), p.axis());
        staged(new Scan(p.kind(), in(0).element(), p.exclusive(), at.outer(), at.n(), at.inner()).stages(to.limits()));
    }

    private void topK(Op.TopK t) throws ExecutorException {
        int n = in(0).shape().dim(-1);
        staged(new TopK(in(0).element(), Math.toIntExact(in(0).shape().count() / n), n, t.k()).stages(to.limits()));
    }

    private void randomBits(Op.RandomBits r) throws ExecutorException {
        RandomWords g = new RandomWords(in(0).shape().dim(0), r.n());
        to.call(g, g.grid(to.limits()), span(0), span(1), out().span());
    }

    private void staged(Stages stages) throws ExecutorException {
        List<Span> operands = new ArrayList<>();
        for (Value v : e.inputs()) {
            operands.add(to.exact(v).span());
        }
        List<Span> results = new ArrayList<>();
        for (Value v : e.outputs()) {
            results.add(to.result(v).span());
        }
        new StagedSteps(to).add(stages, operands, results);
    }

    // ---- contraction ----

    private void matMul(Op.MatMul m) throws ExecutorException {
        if (new ContractionSteps(to).add(List.of(e), e.outputs())) {
            return;
        }
        Operand a = to.operand(in(0));
        Operand b = to.operand(in(1));
        Shape whole = e.output().shape();
        Shape lead = whole.slice(0, whole.rank() - 2);
        Strided batches = Strided.of(lead, List.of(lead(in(0), lead), lead(in(1), lead)));
        int k = in(0).shape().dim(-1);
        if (k == 0) {
            to.zero(out().span());
            return;
        }
        BatchProduct g = new BatchProduct(a.element(), b.element(), m.transposed(), batches, whole.dim(-2), whole.dim(-1), k,
                new Epilogue.Store(1, whole.dim(-1)));
        to.call(g, g.grid(to.limits()), a.span(), b.span(), out().span());
    }

    private static int[] lead(Value v, Shape whole) {
        return Strided.stretched(v.shape().slice(0, v.shape().rank() - 2), whole);
    }

    // ---- movement ----

    private void move(int[] strides, long first, Shape visited, int[] outStrides, long outFirst) throws ExecutorException {
        new Moving(to).strided(to.operand(in(0)), strides, first, out(), outStrides, outFirst, visited, 0);
    }

    private void transpose(Op.Transpose t) throws ExecutorException {
        int[] own = Strided.dense(in(0).shape());
        Shape whole = e.output().shape();
        move(t.order().stream().mapToInt(axis -> own[axis]).toArray(), 0, whole, Strided.dense(whole), 0);
    }

    private void slice(Op.Slice s) throws ExecutorException {
        int[] own = Strided.dense(in(0).shape());
        Shape whole = e.output().shape();
        move(own, (long) s.from() * own[s.axis()], whole, Strided.dense(whole), 0);
    }

    private void concat(Op.Concat c) throws ExecutorException {
        int[] strides = Strided.dense(e.output().shape());
        int company = to.company();
        long at = 0;
        for (Value v : e.inputs()) {
            new Moving(to).strided(to.operand(v), Strided.dense(v.shape()), 0, out(), strides, at * strides[c.axis()], v.shape(), company);
            at += v.shape().dim(c.axis());
        }
    }

    private void pad(Op.Pad p) throws ExecutorException {
        int[] strides = Strided.dense(e.output().shape());
        Shape from = in(0).shape();
        to.zero(out().span());
        move(Strided.dense(from), 0, from, strides, (long) p.before() * strides[p.axis()]);
    }

    // ---- indexed ----

    private void gather() throws ExecutorException {
        int rows = Math.toIntExact(in(1).shape().count());
        Optional<Resident> w = to.weight(in(0));
        if (w.isPresent() && !w.get().isDense() && in(0).shape().rank() >= 2
                && new WeightSteps(to).gather(w.get(), in(0).shape(), span(1), rows, out())) {
            return;
        }
        Operand data = to.operand(in(0));
        Shape s = data.shape();
        GatherRows g = new GatherRows(data.element(), e.output().element(), s.dim(0), below(s), rows);
        to.call(g, g.grid(to.limits()), data.span(), span(1), out().span());
    }

    private static int below(Shape s) {
        return Math.toIntExact(s.slice(1, s.rank()).count());
    }

    private void take() throws ExecutorException {
        Shape data = in(0).shape();
        int rows = Math.toIntExact(data.slice(0, data.rank() - 1).count());
        TakeAlong g = new TakeAlong(in(0).element().bytes(), rows, data.dim(-1), in(1).shape().dim(-1));
        to.call(g, g.grid(to.limits()), span(0), span(1), out().span());
    }

    private void scatter(Op.ScatterUpdate s) throws ExecutorException {
        Shape target = in(0).shape();
        new Moving(to).whole(to.exact(in(0)), out());
        int count = Math.toIntExact(in(1).shape().count());
        if (count > 0) {
            Operand updates = to.wide(in(2));
            ScatterRows g = new ScatterRows(updates.element(), in(0).element(), s.add(), target.dim(0), below(target), count);
            to.call(g, g.grid(to.limits()), span(1), updates.span(), out().span());
        }
    }
}
