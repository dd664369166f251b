package poot.core.kernel.generate.attention;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.generate.KernelRun;
import poot.core.kernel.generate.attention.AttentionSpec.Cached;

/**
 * Attention of some rows over random keys in blocks that lie anywhere, and what it is in double arithmetic. Slots that no
 * position of a row has hold NaN.
 */
final class AttentionCase {
    final AttentionSpec spec;
    final int rows;
    final int tokens;
    final int blocks;
    final int slots;
    final float[] query;
    final float[] keys; // as the form holds them
    final float[] values;
    final int[] table;
    final int[] positions;
    final float[] slopes;
    final float[] sinks;
    private final Packed packedKeys;
    private final Packed packedValues;

    private record Packed(MemorySegment data, short[] scales) {}

    /** Rows whose tokens are the last of {@code cached.length} texts of so many positions; a negative length is all padding. */
    AttentionCase(AttentionSpec spec, int tokens, int spareBlocks, long seed, int... cached) {
        this(spec, tokens, spareBlocks, seed, endings(tokens, cached));
    }

    private static int[][] endings(int tokens, int... cached) {
        int[][] out = new int[cached.length][tokens];
        for (int r = 0; r < cached.length; r++) {
            for (int t = 0; t < tokens; t++) {
                out[r][t] = Math.max(-1, cached[r] - tokens + t);
            }
        }
        return out;
    }

    AttentionCase(AttentionSpec spec, int tokens, int spareBlocks, long seed, int[][] positionsByRow) {
        this.spec = spec;
        this.rows = positionsByRow.length;
        this.tokens = tokens;
        Cached view = (Cached) spec.view();
        Random random = new Random(seed);
        positions = Arrays.stream(positionsByRow).flatMapToInt(Arrays::stream).toArray();
        int most = Arrays.stream(positions).max().getAsInt();
        blocks = most / view.block() + 1 + spareBlocks;
        int pool = rows * blocks + 2;
        slots = pool * view.block();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < pool; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        table = new int[rows * blocks];
        boolean[] held = new boolean[slots];
        for (int r = 0; r < rows; r++) {
            int last = Arrays.stream(positionsByRow[r]).max().getAsInt();
            for (int i = 0; i < blocks; i++) {
                boolean there = i * view.block() <= last && (i == 0 || random.nextInt(8) > 0);
                table[r * blocks + i] = there ? order.removeLast() : -1 - random.nextInt(3);
                for (int k = 0; there && k < view.block() && i * view.block() + k <= last; k++) {
                    held[table[r * blocks + i] * view.block() + k] = true;
                }
            }
        }
        query = gaussian(random, rows * tokens * spec.heads() * spec.width(), 1.5);
        keys = gaussian(random, slots * spec.groups() * spec.width(), 1);
        values = gaussian(random, slots * spec.groups() * spec.valueWidth(), 1);
        slopes = gaussian(random, spec.heads(), 0.2);
        for (int h = 0; h < slopes.length; h++) {
            slopes[h] = Math.abs(slopes[h]); // as real ones, which favour what is near
        }
        sinks = gaussian(random, spec.heads(), 2);
        for (int s = 0; s < slots; s++) {
            if (!held[s]) {
                Arrays.fill(keys, s * spec.groups() * spec.width(), (s + 1) * spec.groups() * spec.width(), Float.NaN);
                Arrays.fill(values, s * spec.groups() * spec.valueWidth(), (s + 1) * spec.groups() * spec.valueWidth(), Float.NaN);
            }
        }
        packedKeys = pack(keys);
        packedValues = pack(values);
    }

    private AttentionCase(AttentionCase of, int row) {
        spec = of.spec;
        rows = 1;
        tokens = of.tokens;
        blocks = of.blocks;
        slots = of.slots;
        int queries = of.query.length / of.rows;
        query = Arrays.copyOfRange(of.query, row * queries, (row + 1) * queries);
        keys = of.keys;
        values = of.values;
        table = Arrays.copyOfRange(of.table, row * blocks, (row + 1) * blocks);
        positions = Arrays.copyOfRange(of.positions, row * tokens, (row + 1) * tokens);
        slopes = of.slopes;
        sinks = of.sinks;
        packedKeys = of.packedKeys;
        packedValues = of.packedValues;
    }

    /** One of the rows alone, over the same cache. */
    AttentionCase row(int row) {
        return new AttentionCase(this, row);
    }

    static float[] gaussian(Random random, int n, double scale) {
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
            out[i] = (float) (random.nextGaussian() * scale);
        }
        return out;
    }

    /** Puts features into the form, and the values they then have back into {@code x}. */
    private Packed pack(float[] x) {
        return switch (spec.form()) {
            case F32 -> new Packed(MemorySegment.ofArray(x.clone()), null);
            case F16 -> {
                short[] h = new short[x.length];
                for (int i = 0; i < x.length; i++) {
                    h[i] = Float.floatToFloat16(x[i]);
                    x[i] = Float.float16ToFloat(h[i]);
                }
                yield new Packed(MemorySegment.ofArray(h), null);
            }
            case BF16 -> {
                short[] h = new short[x.length];
                for (int i = 0; i < x.length; i++) {
                    h[i] = (short) (Float.floatToRawIntBits(x[i]) >>> 16);
                    x[i] = Float.intBitsToFloat(h[i] << 16);
                }
                yield new Packed(MemorySegment.ofArray(h), null);
            }
            case CODED -> coded(x);
        };
    }

    private static Packed coded(float[] x) {
        byte[] codes = new byte[x.length];
        short[] scales = new short[x.length / 32];
        for (int g = 0; g < scales.length; g++) {
            float most = 0;
            for (int i = g * 32; i < g * 32 + 32; i++) {
                most = Float.isNaN(x[i]) ? Float.NaN : Math.max(most, Math.abs(x[i]));
            }
            scales[g] = Float.floatToFloat16(most / 127);
            float scale = Float.float16ToFloat(scales[g]);
            for (int i = g * 32; i < g * 32 + 32; i++) {
                codes[i] = (byte) Math.round(x[i] / scale);
                x[i] = codes[i] * scale;
            }
        }
        return new Packed(MemorySegment.ofArray(codes), scales);
    }

    /** The result in double arithmetic. */
    double[] expected() {
        Cached view = (Cached) spec.view();
        double[] out = new double[rows * tokens * spec.heads() * spec.valueWidth()];
        for (int q = 0; q < rows * tokens * spec.heads(); q++) {
            int row = q / (tokens * spec.heads());
            int position = positions[q / spec.heads()];
            int head = q % spec.heads();
            double[] weights = new double[blocks * view.block()];
            double top = spec.sinks() ? sinks[head] : -Float.MAX_VALUE;
            for (int j = 0; j < weights.length; j++) {
                int entry = table[row * blocks + j / view.block()];
                boolean seen = entry >= 0 && j <= position && (view.window() == 0 || j > position - view.window());
                weights[j] = seen ? score(q, entry * view.block() + j % view.block(), j - position) : Double.NaN;
                top = seen ? Math.max(top, weights[j]) : top;
            }
            double total = spec.sinks() ? Math.exp(sinks[head] - top) : 0;
            for (int j = 0; j < weights.length; j++) {
                weights[j] = Double.isNaN(weights[j]) ? 0 : Math.exp(weights[j] - top);
                total += weights[j];
            }
            for (int j = 0; j < weights.length; j++) {
                if (weights[j] > 0) {
                    int slot = table[row * blocks + j / view.block()] * view.block() + j % view.block();
                    int from = (slot * spec.groups() + head / spec.each()) * spec.valueWidth();
                    for (int e = 0; e < spec.valueWidth(); e++) {
                        out[q * spec.valueWidth() + e] += weights[j] / total * values[from + e];
                    }
                }
            }
        }
        return out;
    }

    private double score(int q, int slot, int distance) {
        int head = q % spec.heads();
        double sum = 0;
        for (int e = 0; e < spec.width(); e++) {
            sum += (double) query[q * spec.width() + e] * keys[(slot * spec.groups() + head / spec.each()) * spec.width() + e];
        }
        sum *= spec.scale();
        sum = spec.softcap() > 0 ? spec.softcap() * Math.tanh(sum / spec.softcap()) : sum;
        return spec.alibi() ? sum + (double) slopes[head] * distance : sum;
    }

    /** The operands in memory. */
    List<DeviceBuffer> memory(KernelRun run) throws ExecutorException {
        List<DeviceBuffer> out = new ArrayList<>();
        out.add(run.floats("query", query));
        out.add(run.of("keys", packedKeys.data()));
        out.add(run.of("values", packedValues.data()));
        out.add(run.ints("table", table));
        out.add(run.ints("positions", positions));
        if (spec.coded()) {
            out.add(run.of("key scales", MemorySegment.ofArray(packedKeys.scales())));
            out.add(run.of("value scales", MemorySegment.ofArray(packedValues.scales())));
        }
        if (spec.alibi()) {
            out.add(run.floats("slopes", slopes));
        }
        if (spec.sinks()) {
            out.add(run.floats("sinks", sinks));
        }
        return out;
    }

    /** The operands as arguments. */
    List<Argument> operands(KernelRun run) throws ExecutorException {
        List<Argument> out = new ArrayList<>();
        memory(run).forEach(m -> out.add(Argument.of(m)));
        return out;
    }

    /** The result of the kernels chosen for the step. */
    float[] run(KernelRun run) throws ExecutorException {
        DeviceBuffer result = run.empty("result", 4L * results());
        run.run(AttentionChoice.cached(spec, rows, tokens, blocks, slots).stages(run.limits()), memory(run), List.of(result));
        return run.floats(result);
    }

    /** Elements of the result. */
    int results() {
        return rows * tokens * spec.heads() * spec.valueWidth();
    }

    /** T, B, S. */
    List<Argument> sizes() {
        return List.of(Argument.u32(tokens), Argument.u32(blocks), Argument.u32(slots));
    }

    /** The result of a kernel that reads the cache in parts, or in one where {@code part} is 0. */
    float[] run(KernelRun run, Generator kernel, int part, IntFunction<Grid> grid)
            throws ExecutorException {
        DeviceBuffer result = run.empty("result", 4L * results());
        List<Argument> arguments = operands(run);
        int parts = part == 0 ? 1 : (blocks * ((Cached) spec.view()).block() + part - 1) / part;
        DeviceBuffer sums = run.empty("sums", 4L * results() * parts);
        DeviceBuffer marks = run.empty("marks", 8L * results() / spec.valueWidth() * parts);
        if (part == 0) {
            arguments.add(Argument.of(result));
            arguments.addAll(sizes());
            run.run(kernel, grid.apply(1), arguments);
            return run.floats(result);
        }
        arguments.add(Argument.of(sums));
        arguments.add(Argument.of(marks));
        arguments.addAll(sizes());
        arguments.add(Argument.u32(parts));
        run.run(kernel, grid.apply(parts), arguments);
        JoinParts join = new JoinParts(spec, part);
        List<Argument> joined = new ArrayList<>(List.of(Argument.of(run.ints("positions", positions)), Argument.of(sums), Argument.of(marks)));
        if (spec.sinks()) {
            joined.add(Argument.of(run.floats("sinks", sinks)));
        }
        joined.addAll(List.of(Argument.of(result), Argument.u32(blocks), Argument.u32(parts)));
        run.run(join, join.grid(rows, tokens), joined);
        return run.floats(result);
    }
}
