package poot.backend.cpu.kernel.pointwise;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Work;

/**
 * Elementwise equations computed together, one tile of the result at a time; every value of the group is a register.
 * Over a whole result it is a step of its own; over a block of columns it follows the products that made the block.
 */
public final class Expression implements Ranged {
    /** Elements a worker takes at a time. */
    private static final long GRAIN = 8L * Workspace.TILE;

    private final List<Viewed> views = new ArrayList<>();
    private final List<Tiled> tiles = new ArrayList<>();
    private final List<Instruction> instructions = new ArrayList<>();
    private final Map<Integer, Integer> registers = new HashMap<>();
    private final List<Stored> results = new ArrayList<>();
    private final Workspace workspace;
    private final Shape shape;
    private final Work body = this::range;

    private record Stored(int register, ElementType element, Region region) {}

    private record Viewed(int register, View view) {}

    private record Tiled(int register, int tile) {}

    /** Where an operand from outside the group lies. */
    @FunctionalInterface
    public interface Operands {
        /** The region of a value. */
        Region of(Value value);
    }

    /** Whether an operation is elementwise. */
    public static boolean isPointwise(Op op) {
        return switch (op) {
            case Op.Unary u -> true;
            case Op.Binary b -> true;
            case Op.Compare c -> true;
            case Op.Select s -> true;
            case Op.Cast c -> true;
            case Op.Composed c -> c.composite() instanceof Composite.Gated || c.composite() instanceof Composite.Activate;
            case Op.Const c -> false;
            case Op.Slot s -> false;
            case Op.State s -> false;
            case Op.Param p -> false;
            case Op.Literal l -> false;
            case Op.Iota i -> false;
            case Op.Reduce r -> false;
            case Op.ArgReduce r -> false;
            case Op.TopK t -> false;
            case Op.PrefixScan p -> false;
            case Op.MatMul m -> false;
            case Op.Reshape r -> false;
            case Op.Transpose t -> false;
            case Op.Slice s -> false;
            case Op.Concat c -> false;
            case Op.Broadcast b -> false;
            case Op.Pad p -> false;
            case Op.Gather g -> false;
            case Op.TakeAlong t -> false;
            case Op.ScatterUpdate s -> false;
            case Op.PackedDecode p -> false;
            case Op.RandomBits r -> false;
        };
    }

    /**
     * A group whose every result has the shape {@code shape} or stretches to it.
     *
     * @param stored results read after the group, all of {@code shape}, and where they go
     */
    public Expression(
            List<Equation> equations, Shape shape, Operands operands, Map<Value, Region> stored, Workspace workspace) {
        this(equations, shape, operands, stored, List.of(), workspace);
    }

    /** Likewise over blocks, where the values {@code tiled} lie in tiles of the block by their index. */
    public Expression(
            List<Equation> equations, Shape shape, Operands operands, Map<Value, Region> stored, List<Value> tiled,
            Workspace workspace) {
        this.shape = shape;
        this.workspace = workspace;
        Map<Integer, Equation> inside = new HashMap<>();
        equations.forEach(e -> inside.put(e.output().id(), e));
        for (Equation e : equations) {
            for (Value v : e.inputs()) {
                if (!inside.containsKey(v.id()) && !registers.containsKey(v.id())) {
                    int register = registers.size();
                    registers.put(v.id(), register);
                    if (tiled.contains(v)) {
                        tiles.add(new Tiled(register, tiled.indexOf(v)));
                    } else {
                        views.add(new Viewed(register, new View(operands.of(v), v.element(), v.shape(), shape)));
                    }
                }
            }
        }
        int next = registers.size();
        for (Equation e : equations) {
            registers.put(e.output().id(), next++);
            instructions.add(instruction(e));
        }
        stored.forEach((v, r) -> results.add(new Stored(register(v), v.element(), r)));
        workspace.reserveRegisters(next);
    }

    /** The result shape of a group of equations: every member stretches to it; empty where there is none. */
    public static Optional<Shape> common(List<Equation> equations) {
        try {
            Shape s = equations.get(0).output().shape();
            for (Equation e : equations) {
                s = Shape.broadcast(s, e.output().shape());
            }
            return Optional.of(s);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private int register(Value v) {
        return registers.get(v.id());
    }

    private Instruction instruction(Equation e) {
        Value x = e.inputs().get(0);
        int a = register(x);
        int out = register(e.output());
        return switch (e.op()) {
            case Op.Unary u -> new Instruction.Unary(u.kind(), x.element(), a, out);
            case Op.Binary b -> new Instruction.Binary(b.kind(), x.element(), a, register(e.inputs().get(1)), out);
            case Op.Compare c -> new Instruction.Compare(c.kind(), x.element(), a, register(e.inputs().get(1)), out);
            case Op.Select s -> new Instruction.Select(
                    e.output().element(), a, register(e.inputs().get(1)), register(e.inputs().get(2)), out);
            case Op.Cast c -> new Instruction.Cast(x.element(), c.to(), a, out);
            case Op.Composed c when c.composite() instanceof Composite.Gated g ->
                new Instruction.Gated(g.activation(), a, register(e.inputs().get(1)), out);
            case Op.Composed c when c.composite() instanceof Composite.Activate g ->
                new Instruction.Activate(g.activation(), a, out);
            default -> throw new IllegalStateException("not elementwise: " + e);
        };
    }

    @Override
    public long items() {
        return shape.count();
    }

    @Override
    public long grain() {
        return GRAIN;
    }

    @Override
    public Work body() {
        return body;
    }

    /**
     * Computes columns {@code from} to {@code from + count} of a result [rows, width].
     *
     * @param tiles  where tiles lie: F32 [rows, count] each
     * @param tile   the first byte of the first tile
     * @param stride from one tile to the next, in bytes
     */
    public void block(int worker, int rows, int width, int from, int count, MemorySegment tiles, long tile, long stride) {
        int most = Math.min(count, Workspace.TILE);
        int together = Workspace.TILE / most;
        float[][] floats = workspace.floats(worker);
        int[][] words = workspace.words(worker);
        for (int row = 0; row < rows; row += together) {
            int some = Math.min(together, rows - row);
            for (int column = 0; column < count; column += most) {
                int n = Math.min(most, count - column);
                for (int i = 0; i < some; i++) {
                    fill((long) (row + i) * width + from + column, n, floats, words, i * n);
                    fill(tiles, tile + 4 * ((long) (row + i) * count + column), stride, n, floats, i * n);
                }
                for (int i = 0; i < instructions.size(); i++) {
                    instructions.get(i).apply(floats, words, some * n);
                }
                for (int i = 0; i < some; i++) {
                    store((long) (row + i) * width + from + column, n, floats, words, i * n);
                }
            }
        }
    }

    private void fill(long at, int n, float[][] floats, int[][] words, int to) {
        for (int i = 0; i < views.size(); i++) {
            Viewed v = views.get(i);
            v.view().fill(at, n, floats[v.register()], words[v.register()], to);
        }
    }

    private void fill(MemorySegment from, long at, long stride, int n, float[][] floats, int to) {
        for (int i = 0; i < tiles.size(); i++) {
            Tiled t = tiles.get(i);
            MemorySegment.copy(from, Lanes.FLOAT, at + t.tile() * stride, floats[t.register()], to, n);
        }
    }

    private void store(long at, int n, float[][] floats, int[][] words, int from) {
        for (int i = 0; i < results.size(); i++) {
            Stored r = results.get(i);
            View.store(r.region(), r.element(), at, n, floats[r.register()], words[r.register()], from);
        }
    }

    private void range(int worker, long from, long to) {
        float[][] floats = workspace.floats(worker);
        int[][] words = workspace.words(worker);
        for (long at = from; at < to; at += Workspace.TILE) {
            int n = (int) Math.min(Workspace.TILE, to - at);
            fill(at, n, floats, words, 0);
            for (int i = 0; i < instructions.size(); i++) {
                instructions.get(i).apply(floats, words, n);
            }
            store(at, n, floats, words, 0);
        }
    }
}
