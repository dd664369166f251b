package poot.backend.cpu.prepare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.executor.ExecutorException;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.kernel.matmul.FusedProducts;
import poot.backend.cpu.kernel.matmul.TiledProduct;
import poot.backend.cpu.kernel.matmul.WeightProducts;
import poot.backend.cpu.kernel.pointwise.Expression;
import poot.backend.cpu.kernel.row.RowGroup;
import poot.backend.cpu.kernel.weight.WeightDecode;
import poot.backend.cpu.memory.Region;

/** The steps of a kernel of several equations, as one where there is such a step. */
final class FusedSteps {
    private final Preparation to;
    private final Kernel kernel;
    private final List<Equation> rest;

    /** {@code rest} are the kernel's equations that are no weight reads and no views. */
    FusedSteps(Preparation to, Kernel kernel, List<Equation> rest) {
        this.to = to;
        this.kernel = kernel;
        this.rest = rest;
    }

    /** Adds the steps; where that is false nothing was added, and the equations are to be run one after the other. */
    boolean add() throws ExecutorException {
        return switch (kernel.kind()) {
            case CONTRACTION -> products();
            case ROW -> rows();
            case NONE, POINTWISE, MOVEMENT, CLAIMED, SPECIAL -> pointwise();
        };
    }

    private boolean pointwise() throws ExecutorException {
        Optional<Shape> shape = rest.stream().allMatch(e -> Expression.isPointwise(e.op())) ? Expression.common(rest) : Optional.empty();
        if (shape.isEmpty() || !kernel.outputs().stream().allMatch(v -> v.shape().equals(shape.get()))) {
            return false;
        }
        to.add(to.expression(rest, kernel.outputs(), shape.get(), List.of()));
        return true;
    }

    // ---- rows ----

    private boolean rows() throws ExecutorException {
        List<Step> own = to.collect(this::eachRow);
        List<Step> before = new ArrayList<>();
        List<Ranged> parts = new ArrayList<>();
        boolean cut = true;
        for (Step s : own) {
            switch (s) {
                case WeightDecode w -> before.add(w);
                case Ranged r when r.items() % kernel.rows() == 0 -> parts.add(r);
                default -> cut = false;
            }
        }
        if (cut && !parts.isEmpty()) {
            before.forEach(to::add);
            to.add(new RowGroup(parts, kernel.rows()));
        } else {
            own.forEach(to::add);
        }
        return true;
    }

    /** One step after the other, elementwise neighbours of one shape together. */
    private void eachRow() throws ExecutorException {
        for (int i = 0; i < rest.size(); ) {
            int end = i + 1;
            if (Expression.isPointwise(rest.get(i).op())) {
                Shape shape = rest.get(i).output().shape();
                while (end < rest.size() && Expression.isPointwise(rest.get(end).op()) && rest.get(end).output().shape().equals(shape)) {
                    end++;
                }
                List<Equation> run = rest.subList(i, end);
                to.add(to.expression(run, run.stream().map(Equation::output).filter(v -> needed(v, run)).toList(), shape, List.of()));
            } else {
                to.equation(rest.get(i));
            }
            i = end;
        }
    }

    /** Whether anything but the run itself reads one of its values. */
    private boolean needed(Value v, List<Equation> run) {
        return kernel.outputs().contains(v)
                || kernel.equations().stream().anyMatch(e -> !run.contains(e) && e.inputs().contains(v));
    }

    // ---- products ----

    /** Equations that depend on one another. */
    private record Part(List<Equation> products, List<Equation> applied) {
        Part() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    private boolean products() throws ExecutorException {
        for (Equation e : rest) {
            boolean known = e.op() instanceof Op.MatMul m && m.transposed()
                    ? to.weight(e.inputs().get(1)).filter(WeightProducts::flat).isPresent() : Expression.isPointwise(e.op());
            if (!known) {
                return false;
            }
        }
        List<FusedProducts.Lane> lanes = new ArrayList<>();
        for (Part p : parts()) {
            if (p.products().isEmpty()) {
                return false;
            }
            lanes.add(lane(p));
        }
        to.add(new FusedProducts(lanes, to.workspace(), to.workers()));
        return true;
    }

    private Set<Part> parts() {
        Map<Integer, Part> of = new HashMap<>();
        for (Equation e : rest) {
            Part own = new Part();
            for (Value v : e.inputs()) {
                Part p = of.get(v.id());
                if (p != null && p != own) {
                    own.products().addAll(p.products());
                    own.applied().addAll(p.applied());
                    of.replaceAll((id, part) -> part == p ? own : part);
                }
            }
            (e.op() instanceof Op.MatMul ? own.products() : own.applied()).add(e);
            of.put(e.output().id(), own);
        }
        Set<Part> distinct = new LinkedHashSet<>();
        rest.forEach(e -> distinct.add(of.get(e.output().id())));
        return distinct;
    }

    private FusedProducts.Lane lane(Part p) throws ExecutorException {
        List<TiledProduct> products = new ArrayList<>();
        List<Optional<Region>> outs = new ArrayList<>();
        List<Value> tiled = new ArrayList<>();
        Shape shape = p.products().getFirst().output().shape();
        int m = Math.toIntExact(shape.count() / Math.max(1, shape.dim(-1)));
        for (Equation e : p.products()) {
            Weight w = to.weight(e.inputs().get(1)).orElseThrow();
            products.add(WeightProducts.of(w, to.copies(), to.region(e.inputs().getFirst()), m, to.workspace(), to.emitter()));
            if (to.isInternal(e.output())) {
                tiled.add(e.output());
                outs.add(Optional.empty());
            } else {
                outs.add(Optional.of(to.result(e.output())));
            }
        }
        List<Value> stored = p.applied().stream().map(Equation::output).filter(kernel.outputs()::contains).toList();
        Optional<Expression> epilogue = p.applied().isEmpty()
                ? Optional.empty() : Optional.of(to.expression(ordered(p.applied()), stored, shape, tiled));
        return new FusedProducts.Lane(products, outs, epilogue);
    }

    private List<Equation> ordered(List<Equation> some) {
        Map<Integer, Equation> byPlace = new LinkedHashMap<>();
        rest.stream().filter(some::contains).forEach(e -> byPlace.put(e.output().id(), e));
        return List.copyOf(byPlace.values());
    }
}
