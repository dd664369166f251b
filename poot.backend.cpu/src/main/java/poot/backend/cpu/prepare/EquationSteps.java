package poot.backend.cpu.prepare;

import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Unsupported;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.api.model.KvForm;
import poot.backend.cpu.kernel.attention.Attention;
import poot.backend.cpu.kernel.attention.Cache;
import poot.backend.cpu.kernel.attention.Keys;
import poot.backend.cpu.kernel.attention.Rotation;
import poot.backend.cpu.kernel.matmul.Product;
import poot.backend.cpu.kernel.matmul.WeightProducts;
import poot.backend.cpu.kernel.move.BlockCopy;
import poot.backend.cpu.kernel.move.BlockCopy.Blocks;
import poot.backend.cpu.kernel.move.Counting;
import poot.backend.cpu.kernel.move.Philox;
import poot.backend.cpu.kernel.move.RowGather;
import poot.backend.cpu.kernel.move.Scatter;
import poot.backend.cpu.kernel.move.StridedCopy;
import poot.backend.cpu.kernel.move.Take;
import poot.backend.cpu.kernel.move.ZeroFill;
import poot.backend.cpu.kernel.row.ArgReduction;
import poot.backend.cpu.kernel.row.Axis;
import poot.backend.cpu.kernel.row.LargestK;
import poot.backend.cpu.kernel.row.Norm;
import poot.backend.cpu.kernel.row.Reduction;
import poot.backend.cpu.kernel.row.Scan;
import poot.backend.cpu.kernel.weight.WeightDecode;
import poot.backend.cpu.kernel.weight.WeightGather;
import poot.backend.cpu.memory.Region;

/** The steps of one equation that is not elementwise: one exhaustive switch. */
final class EquationSteps {
    private final Preparation to;
    private final Equation e;

    EquationSteps(Preparation to, Equation e) {
        this.to = to;
        this.e = e;
    }

    void add() throws ExecutorException {
        switch (e.op()) {
            case Op.Const c -> { }
            case Op.Slot s -> { }
            case Op.State s -> { }
            case Op.Param p -> { }
            case Op.Literal l -> { }
            case Op.Unary u -> throw elementwise();
            case Op.Binary b -> throw elementwise();
            case Op.Compare c -> throw elementwise();
            case Op.Select s -> throw elementwise();
            case Op.Cast c -> throw elementwise();
            case Op.Iota i -> to.add(new Counting(
                    out(), i.shape().count(), i.shape().dim(i.axis()), i.shape().slice(i.axis() + 1, i.shape().rank()).count()));
            case Op.Reduce r -> to.add(new Reduction(r.kind(), axis(r.axis()), in(0).element(), region(0), out()));
            case Op.ArgReduce r -> to.add(new ArgReduction(r.largest(), axis(r.axis()), in(0).element(), region(0), out()));
            case Op.TopK t -> topK(t);
            case Op.PrefixScan p -> to.add(
                    new Scan(p.kind(), p.exclusive(), axis(p.axis()), in(0).element(), region(0), out()));
            case Op.MatMul m -> matMul(m);
            case Op.Reshape r -> copyUnlessSame();
            case Op.Transpose t -> transpose(t);
            case Op.Slice s -> slice(s);
            case Op.Concat c -> concat(c);
            case Op.Broadcast b -> broadcast(b);
            case Op.Pad p -> pad(p);
            case Op.Gather g -> gather();
            case Op.TakeAlong t -> take();
            case Op.ScatterUpdate s -> scatter(s);
            case Op.PackedDecode p -> to.add(new WeightDecode(to.weight(in(0)).orElseThrow(this::unread), out(), to.workspace()));
            case Op.RandomBits r -> to.add(new Philox(region(0), region(1), out(), in(0).shape().dim(0), r.n()));
            case Op.Composed c -> composite(c.composite());
        }
    }

    private Value in(int i) {
        return e.inputs().get(i);
    }

    private Region region(int i) throws ExecutorException {
        return to.region(in(i));
    }

    private Region out() throws ExecutorException {
        return to.result(e.outputs().get(0));
    }

    private Axis axis(int axis) {
        return Axis.of(in(0).shape(), axis);
    }

    private IllegalStateException elementwise() {
        return new IllegalStateException("elementwise: " + e);
    }

    private ExecutorException unread() {
        return Weights.mismatch("not a weight: " + e);
    }

    private ExecutorException unsupported(String capability) {
        return new ExecutorException(new Unsupported("cpu", e.toString(), capability));
    }

    // ---- rows ----

    private void topK(Op.TopK t) throws ExecutorException {
        Shape s = in(0).shape();
        int n = s.dim(-1);
        Region indices = to.result(e.outputs().get(1));
        to.add(new LargestK(t.k(), n, s.count() / n, in(0).element(), region(0), out(), indices, to.workers()));
    }

    // ---- contraction ----

    private void matMul(Op.MatMul m) throws ExecutorException {
        Optional<Weight> w = to.weight(in(1));
        if (m.transposed() && w.isPresent()) {
            Region x = region(0);
            to.add(WeightProducts.step(w.get(), to.copies(), x, in(0).shape(), out(), e.output().shape(), to.workspace(), to.emitter()));
        } else {
            to.add(new Product(
                    m.transposed(), region(0), in(0).shape(), region(1), in(1).shape(), out(), e.output().shape(), to.workspace()));
        }
    }

    // ---- movement ----

    private void copyUnlessSame() throws ExecutorException {
        Region from = region(0);
        if (!from.sameAs(out())) {
            to.add(new BlockCopy(from, out(), Blocks.whole(e.output().type().bytes())));
        }
    }

    private static long[] strides(Shape s) {
        long[] strides = new long[s.rank()];
        long stride = 1;
        for (int i = s.rank() - 1; i >= 0; i--) {
            strides[i] = stride;
            stride *= s.dim(i);
        }
        return strides;
    }

    private void transpose(Op.Transpose t) throws ExecutorException {
        long[] own = strides(in(0).shape());
        long[] steps = t.order().stream().mapToLong(axis -> own[axis]).toArray();
        to.add(new StridedCopy(region(0), out(), in(0).element().bytes(), e.output().shape().dims(), steps));
    }

    private void broadcast(Op.Broadcast b) throws ExecutorException {
        Shape from = in(0).shape();
        long[] own = strides(from);
        long[] steps = new long[b.shape().rank()];
        for (int i = 0; i < from.rank(); i++) {
            steps[steps.length - from.rank() + i] = from.dim(i) == 1 ? 0 : own[i];
        }
        to.add(new StridedCopy(region(0), out(), in(0).element().bytes(), b.shape().dims(), steps));
    }

    /** Bytes below one step of an axis. */
    private long below(Shape s, int axis) {
        return s.slice(axis + 1, s.rank()).count() * in(0).element().bytes();
    }

    private void slice(Op.Slice s) throws ExecutorException {
        Shape from = in(0).shape();
        long unit = below(from, s.axis());
        long bytes = (s.to() - s.from()) * unit;
        long outer = from.slice(0, s.axis()).count();
        to.add(new BlockCopy(region(0), out(), new Blocks(outer, bytes, s.from() * unit, from.dim(s.axis()) * unit, 0, bytes)));
    }

    private void concat(Op.Concat c) throws ExecutorException {
        Shape whole = e.output().shape();
        long unit = below(whole, c.axis());
        long outer = whole.slice(0, c.axis()).count();
        long at = 0;
        for (int i = 0; i < e.inputs().size(); i++) {
            long bytes = in(i).shape().dim(c.axis()) * unit;
            to.add(new BlockCopy(region(i), out(), new Blocks(outer, bytes, 0, bytes, at, whole.dim(c.axis()) * unit)));
            at += bytes;
        }
    }

    private void pad(Op.Pad p) throws ExecutorException {
        Shape whole = e.output().shape();
        Shape from = in(0).shape();
        long unit = below(whole, p.axis());
        long bytes = from.dim(p.axis()) * unit;
        long outer = whole.slice(0, p.axis()).count();
        to.add(new ZeroFill(out(), e.output().type().bytes()));
        to.add(new BlockCopy(
                region(0), out(), new Blocks(outer, bytes, 0, bytes, p.before() * unit, whole.dim(p.axis()) * unit)));
    }

    // ---- indexed ----

    private void gather() throws ExecutorException {
        Optional<Weight> w = to.weight(in(0));
        Shape data = in(0).shape();
        long count = in(1).shape().count();
        if (w.isPresent() && data.rank() >= 2 && in(0).element() == ElementType.F32) {
            to.add(new WeightGather(w.get(), region(1), out(), count, to.workspace()));
        } else {
            long bytes = below(data, 0);
            to.add(new RowGather(region(0), region(1), out(), data.dim(0), count, bytes));
        }
    }

    private void take() throws ExecutorException {
        Shape data = in(0).shape();
        int n = data.dim(-1);
        int k = in(1).shape().dim(-1);
        long rows = data.slice(0, data.rank() - 1).count();
        to.add(new Take(region(0), region(1), out(), n, k, rows, in(0).element().bytes()));
    }

    private void scatter(Op.ScatterUpdate s) throws ExecutorException {
        copyUnlessSame();
        Shape target = in(0).shape();
        long unit = target.slice(1, target.rank()).count();
        to.add(new Scatter(
                out(), region(1), region(2), target.dim(0), in(1).shape().count(), unit, in(0).element(), s.add()));
    }

    // ---- composites ----

    private void composite(Composite composite) throws ExecutorException {
        switch (composite) {
            case Composite.RmsNorm n -> {
                int d = in(0).shape().dim(-1);
                to.add(Norm.rms(region(0), region(1), out(), rows(d), d, n.eps(), n.offset()));
            }
            case Composite.LayerNorm n -> {
                int d = in(0).shape().dim(-1);
                Optional<Region> bias = n.biased() ? Optional.of(region(2)) : Optional.empty();
                to.add(Norm.layer(region(0), region(1), bias, out(), rows(d), d, n.eps()));
            }
            case Composite.Rope r -> {
                Shape s = in(0).shape();
                long tokens = (long) s.dim(0) * s.dim(1);
                to.add(new Rotation(r, region(0), region(1), region(2), out(), tokens, s.dim(2), s.dim(3), to.workspace()));
            }
            case Composite.Attention a -> attention(a);
            case Composite.FullAttention a -> fullAttention(a);
            case Composite.Gated g -> throw elementwise();
            case Composite.Activate a -> throw elementwise();
        }
    }

    private long rows(int d) {
        return d == 0 ? 0 : in(0).shape().count() / d;
    }

    private void attention(Composite.Attention a) throws ExecutorException {
        Shape q = in(0).shape();
        Shape k = in(1).shape();
        int more = a.coded() ? 7 : 5;
        Optional<Region> slopes = a.alibi() ? Optional.of(region(more)) : Optional.empty();
        Optional<Region> sinks = a.sinks() ? Optional.of(region(a.alibi() ? more + 1 : more)) : Optional.empty();
        Cache cache = a.coded()
                ? new Cache(region(1), region(2), in(1).element(), Optional.of(region(5)), Optional.of(region(6)))
                : Cache.plain(region(1), region(2), in(1).element());
        int width = in(2).shape().dim(-1) * (a.coded() ? KvForm.CODES : 1);
        if (a.coded() && !(in(1).element() == ElementType.I32 && scaled(in(1).shape(), in(5)) && scaled(in(2).shape(), in(6)))) {
            throw unsupported("codes are words of four, of which eight have one F16 scale");
        }
        Keys keys = new Keys.Cached(
                region(3), region(4), in(3).shape().dim(1), q.dim(1), a.block(), k.dim(0), a.window());
        attend(a.scale(), a.softcap(), keys, cache, width, slopes, sinks);
    }

    /** Whether there is an F16 scale for each eight words. */
    private static boolean scaled(Shape words, Value scales) {
        Shape each = words.slice(0, words.rank() - 1).concat(Shape.of(words.dim(-1) * KvForm.CODES / KvForm.GROUP));
        return scales.element() == ElementType.F16 && scales.shape().equals(each) && words.dim(-1) * KvForm.CODES % KvForm.GROUP == 0;
    }

    private void fullAttention(Composite.FullAttention a) throws ExecutorException {
        Cache cache = Cache.plain(region(1), region(2), in(1).element());
        attend(a.scale(), 0, new Keys.Within(region(3), in(0).shape().dim(1)), cache, in(2).shape().dim(-1),
                Optional.empty(), Optional.empty());
    }

    private void attend(
            float scale, float cap, Keys keys, Cache cache, int width, Optional<Region> slopes, Optional<Region> sinks)
            throws ExecutorException {
        Shape q = in(0).shape();
        int groups = in(1).shape().dim(-2);
        if (groups == 0 || q.dim(2) % groups != 0 || in(1).element() != in(2).element()) {
            throw unsupported("query heads must be a multiple of key heads, keys and values of one type");
        }
        Attention.Extents extents = new Attention.Extents(
                q.dim(0), q.dim(1), q.dim(2), groups, q.dim(3), width, scale, cap);
        Attention.Operands operands = new Attention.Operands(region(0), cache, slopes, sinks, out());
        to.add(new Attention(extents, operands, keys, to.workspace(), to.emitter()));
    }
}
