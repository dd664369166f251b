package poot.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.NavigableMap;
import java.util.TreeMap;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.CheckpointException;

/**
 * Turns the stored tensors of a Hugging Face checkpoint into logical weights: each packed linear once, under its
 * usual name, with the parts in the order that {@link Formats} documents.
 *
 * <p>A tensor that is neither dense nor part of a packed linear is refused if its name or its element type says that
 * it is a weight, and left out otherwise (position ids, masks, counters).
 */
final class PackedLinears {
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Formats formats;
    private final NavigableMap<String, StoredTensor> stored;
    private final NavigableMap<String, Weight> weights = new TreeMap<>();

    private PackedLinears(Map<String, StoredTensor> stored, Formats formats) {
        this.stored = new TreeMap<>(stored);
        this.formats = formats;
    }

    /** The logical weights of a checkpoint. */
    static NavigableMap<String, Weight> of(Map<String, StoredTensor> stored, Quantization quantization, Formats formats)
            throws CheckpointException {
        PackedLinears linears = new PackedLinears(stored, formats);
        for (String name : List.copyOf(linears.stored.keySet())) {
            switch (quantization) {
                case Quantization.Gptq q -> linears.gptq(name, q);
                case Quantization.Awq q -> linears.awq(name, q);
                case Quantization.Fp8 q -> linears.fp8(name, q);
                case Quantization.Mxfp4 q -> linears.mxfp4(name);
                case Quantization.None q -> { }
            }
        }
        linears.dense();
        return linears.weights;
    }

    private void gptq(String name, Quantization.Gptq q) throws CheckpointException {
        if (!name.endsWith(".qweight")) {
            return;
        }
        String linear = name.substring(0, name.length() - "qweight".length());
        StoredTensor codes = take(name, Dtype.I32, 2);
        int in = times8(codes, codes.shape().dim(0));
        int out = codes.shape().dim(1);
        int group = q.groupSize() < 0 ? in : q.groupSize();
        int groups = Math.ceilDiv(in, group);
        MemorySegment zeros = part(codes, linear + "qzeros", Dtype.I32, groups, eighth(codes, out));
        StoredTensor scales = scales(codes, linear + "scales", groups, out);
        List<MemorySegment> parts = List.of(codes.bytes(), zeros, scales.bytes());
        if (q.ordered() || stored.containsKey(linear + "g_idx")) {
            MemorySegment order = part(codes, linear + "g_idx", Dtype.I32, in);
            if (q.ordered()) {
                checkOrder(codes, linear + "g_idx", order, groups);
            }
            parts = q.ordered() ? List.of(codes.bytes(), zeros, scales.bytes(), order) : parts;
        }
        Format format = formats.gptq(group, q.zeroPlusOne(), q.ordered(), element(scales));
        put(codes, linear + "weight", format, Shape.of(out, in), parts);
    }

    /** Every input's group is one there is: one pass over a column of 4-byte numbers, far smaller than the codes. */
    private static void checkOrder(StoredTensor codes, String name, MemorySegment order, int groups) throws CheckpointException {
        for (long i = 0; i < order.byteSize() / 4; i++) {
            int group = order.get(WORD, 4 * i);
            if (group < 0 || group >= groups) {
                throw Faults.malformed(codes.file(), Faults.tensor(name), "input " + i + " is in group " + group
                        + ", but " + Faults.tensor(codes.name()) + " has " + groups + " groups of scales");
            }
        }
    }

    private void awq(String name, Quantization.Awq q) throws CheckpointException {
        if (!name.endsWith(".qweight")) {
            return;
        }
        String linear = name.substring(0, name.length() - "qweight".length());
        StoredTensor codes = take(name, Dtype.I32, 2);
        int in = codes.shape().dim(0);
        int out = times8(codes, codes.shape().dim(1));
        int group = q.groupSize() < 0 ? in : q.groupSize();
        int groups = Math.ceilDiv(in, group);
        MemorySegment zeros = part(codes, linear + "qzeros", Dtype.I32, groups, out / 8);
        StoredTensor scales = scales(codes, linear + "scales", groups, out);
        expect(codes, in % 8 == 0, "a multiple of 8 inputs");
        List<MemorySegment> parts = List.of(codes.bytes(), zeros, scales.bytes());
        put(codes, linear + "weight", formats.awq(group, element(scales)), Shape.of(out, in), parts);
    }

    private void fp8(String name, Quantization.Fp8 q) throws CheckpointException {
        StoredTensor elements = stored.get(name);
        if (elements == null || elements.dtype() != Dtype.F8_E4M3 || !name.endsWith(".weight")) {
            return;
        }
        StoredTensor codes = take(name, Dtype.F8_E4M3, 2);
        Shape shape = codes.shape();
        StoredTensor scale = scale(codes);
        Shape found = scale.shape();
        Format format = switch (q.grain()) {
            case Quantization.Grain.Tensor t -> {
                expect(scale, found.count() == 1 && found.rank() <= 2, "one multiplier for the tensor");
                yield formats.fp8Channel(element(scale));
            }
            case Quantization.Grain.Channel c -> {
                boolean fits = found.rank() >= 1 && found.rank() <= 2 && found.dim(0) == shape.dim(0)
                        && found.count() == shape.dim(0);
                expect(scale, fits, "one multiplier per row of " + shape);
                yield formats.fp8Channel(element(scale));
            }
            case Quantization.Grain.Block b -> {
                Shape needed = Shape.of(Math.ceilDiv(shape.dim(0), b.rows()), Math.ceilDiv(shape.dim(1), b.columns()));
                expect(scale, found.equals(needed), "the shape " + needed);
                yield formats.fp8Block(b.rows(), b.columns(), element(scale));
            }
        };
        put(codes, name, format, shape, List.of(codes.bytes(), scale.bytes()));
    }

    /** The multipliers of an FP8 linear; the scales of its activations, which are not quantized here, are left out. */
    private StoredTensor scale(StoredTensor codes) throws CheckpointException {
        String linear = codes.name().substring(0, codes.name().length() - "weight".length());
        for (String activation : List.of("input_scale", "input_scale_ub", "activation_scale")) {
            stored.remove(linear + activation);
        }
        StoredTensor inverse = stored.remove(linear + "weight_scale_inv");
        StoredTensor direct = stored.remove(linear + "weight_scale");
        if ((inverse == null) == (direct == null)) {
            throw Faults.malformed(codes.file(), Faults.tensor(codes.name()),
                    "FP8 elements need exactly one of weight_scale_inv and weight_scale beside them");
        }
        StoredTensor scale = inverse == null ? direct : inverse;
        element(scale);
        return scale;
    }

    private void mxfp4(String name) throws CheckpointException {
        if (!name.endsWith("_blocks")) {
            return;
        }
        String linear = name.substring(0, name.length() - "_blocks".length());
        StoredTensor codes = stored.get(name);
        int rank = codes.shape().rank();
        take(name, Dtype.U8, rank);
        expect(codes, rank >= 3 && codes.shape().dim(-1) == 16, "blocks of 16 bytes, [.., in/32, 16]");
        Shape blocks = codes.shape().slice(0, rank - 1);
        expect(codes, blocks.dim(-1) <= Integer.MAX_VALUE / 32, "rows of less than 2^31 elements");
        MemorySegment exponents = part(codes, linear + "_scales", Dtype.U8, blocks.dims());
        Shape shape = blocks.with(-1, blocks.dim(-1) * 32);
        put(codes, linear, formats.mxfp4Pairs(), shape, List.of(codes.bytes(), exponents));
    }

    private void dense() throws CheckpointException {
        for (StoredTensor t : stored.values()) {
            Optional<Encoding> encoding = t.dtype().encoding();
            if (encoding.isPresent()) {
                put(t, t.name(), formats.of(encoding.get()), t.shape(), List.of(t.bytes()));
            } else if (t.name().endsWith("weight") || t.name().endsWith("_blocks") || t.dtype().isSmallFloat()) {
                throw Faults.unsupported(t.file(), Faults.tensor(t.name()), "a weight of dtype " + t.dtype()
                        + " outside a packed linear that quantization_config describes");
            }
        }
    }

    private void put(StoredTensor origin, String name, Format format, Shape shape, List<MemorySegment> parts)
            throws CheckpointException {
        if (weights.put(name, Weight.whole(name, format, shape, parts)) != null) {
            throw Faults.malformed(origin.file(), Faults.tensor(name), "stored both packed and dense");
        }
    }

    private StoredTensor take(String name, Dtype dtype, int rank) throws CheckpointException {
        StoredTensor t = stored.remove(name);
        expect(t, t.dtype() == dtype && t.shape().rank() == rank, rank + " dimensions of " + dtype);
        expect(t, t.shape().count() > 0, "no dimension of 0");
        return t;
    }

    private MemorySegment part(StoredTensor codes, String name, Dtype dtype, int... dims) throws CheckpointException {
        StoredTensor t = companion(codes, name);
        expect(t, t.dtype() == dtype && t.shape().equals(Shape.of(dims)), dtype + " " + Shape.of(dims));
        return t.bytes();
    }

    private StoredTensor scales(StoredTensor codes, String name, int groups, int out) throws CheckpointException {
        StoredTensor t = companion(codes, name);
        Shape needed = Shape.of(groups, out);
        expect(t, t.shape().equals(needed), "the shape " + needed);
        element(t);
        return t;
    }

    private StoredTensor companion(StoredTensor codes, String name) throws CheckpointException {
        StoredTensor t = stored.remove(name);
        if (t == null) {
            throw Faults.malformed(codes.file(), Faults.tensor(name), "missing; " + Faults.tensor(codes.name()) + " needs it");
        }
        return t;
    }

    private static ElementType element(StoredTensor scales) throws CheckpointException {
        Optional<ElementType> element = scales.dtype().element();
        expect(scales, element.isPresent(), "F32, F16 or BF16 scales");
        return element.orElseThrow();
    }

    private static int times8(StoredTensor codes, int packed) throws CheckpointException {
        expect(codes, packed <= Integer.MAX_VALUE / 8, "less than 2^31 elements along an axis");
        return packed * 8;
    }

    private static int eighth(StoredTensor codes, int out) throws CheckpointException {
        expect(codes, out % 8 == 0, "a multiple of 8 outputs");
        return out / 8;
    }

    private static void expect(StoredTensor t, boolean holds, String what) throws CheckpointException {
        if (!holds) {
            throw Faults.malformed(t.file(), Faults.tensor(t.name()),
                    "is " + t.dtype() + " " + t.shape() + "; its packed linear needs " + what);
        }
    }
}
