package poot.emit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.backend.cpu.x86.weight.StoredRows;
import poot.core.quant.QuantFormats;

/**
 * A way to store a weight that there is emitted code for.
 *
 * @param name    for messages
 * @param outputs the rows it is tried with: whole groups and rests of eight and of sixteen
 * @param inputs  the elements of a row
 * @param parts   makes the parts of [.., n, k]; each ends at a guard
 */
record StoredForm(String name, Format format, int[] outputs, int[] inputs, Parts parts) {
    private static final int STEPS = 4;
    /** Rows before those of a weight in the second of two matrices. */
    private static final int BEFORE = 16;
    private static final int[] OUTPUTS = {16, 23, 35};
    /** Where eight rows share a word. */
    private static final int[] EIGHTS = {16, 24, 40};

    /** Makes the parts of so many matrices [n, k]. */
    @FunctionalInterface
    interface Parts {
        List<MemorySegment> of(int matrices, int n, int k, Memory memory) throws IOException;
    }

    /** Where parts are made. */
    record Memory(Path folder, Arena arena, Random random) {
        MemorySegment bytes(long count) throws IOException {
            MemorySegment to = Guarded.of(folder, count, arena);
            byte[] bytes = new byte[(int) count];
            random.nextBytes(bytes);
            MemorySegment.copy(bytes, 0, to, ValueLayout.JAVA_BYTE, 0, bytes.length);
            return to;
        }

        /** Scales of either sign. */
        MemorySegment scales(ElementType element, int count) throws IOException {
            MemorySegment to = Guarded.of(folder, (long) count * element.bytes(), arena);
            for (int i = 0; i < count; i++) {
                float scale = (random.nextBoolean() ? 0.01f : -0.01f) * (1 + random.nextFloat());
                switch (element) {
                    case F32 -> to.set(ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 4L * i, scale);
                    case F16 -> to.set(SHORT, 2L * i, Float.floatToFloat16(scale));
                    default -> to.set(SHORT, 2L * i, (short) (Float.floatToRawIntBits(scale) >>> 16));
                }
            }
            return to;
        }

        private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    }

    /** Every encoding of one part with code, and the formats of several parts. */
    static List<StoredForm> all() {
        List<StoredForm> out = new ArrayList<>();
        for (Encoding e : Encoding.values()) {
            StoredRows.of(e).ifPresent(rows -> out.add(onePart(e, rows.layout().step())));
        }
        out.add(new StoredForm("MXFP4_PAIRS", QuantFormats.mxfp4Pairs(), OUTPUTS, new int[] {32, 64, 96, 128, 320, 384}, StoredForm::pairs));
        for (ElementType scale : new ElementType[] {ElementType.F16, ElementType.F32, ElementType.BF16}) {
            boolean more = scale != ElementType.F32;
            out.add(gptq(32, more, scale, 32, 96));
            out.add(gptq(128, more, scale, 128, 320));
            out.add(awq(32, scale, 32, 96));
            out.add(awq(128, scale, 128, 320));
            out.add(new StoredForm("FP8 by channel, " + scale, QuantFormats.fp8Channel(scale), OUTPUTS, new int[] {64, 192},
                    (m, n, k, memory) -> List.of(eights(memory, m * n * k), memory.scales(scale, m * n))));
            out.add(new StoredForm("FP8 by tensor, " + scale, QuantFormats.fp8Channel(scale), OUTPUTS, new int[] {64, 192},
                    (m, n, k, memory) -> List.of(eights(memory, m * n * k), memory.scales(scale, 1))));
            out.add(blocks(16, 64, scale, 64, 192));
        }
        out.add(gptq(-1, true, ElementType.F16, 32, 160, 256));
        out.add(new StoredForm("GPTQ in order", QuantFormats.gptq(64, true, true, ElementType.F16), EIGHTS, new int[] {64, 192},
                (m, n, k, memory) -> ordered(m, n, k, false, memory)));
        out.add(new StoredForm("GPTQ in another order", QuantFormats.gptq(64, true, true, ElementType.F16), EIGHTS, new int[] {64, 192},
                (m, n, k, memory) -> ordered(m, n, k, true, memory)));
        out.add(gptq(64, false, ElementType.F16, 64, 192));
        out.add(awq(-1, ElementType.F16, 32, 160, 256));
        out.add(awq(96, ElementType.F16, 96, 320));
        out.add(blocks(32, 128, ElementType.BF16, 128, 320));
        out.add(blocks(128, 128, ElementType.F32, 128, 384));
        return out;
    }

    private static StoredForm onePart(Encoding e, int step) {
        int[] inputs = IntStream.rangeClosed(1, STEPS).map(s -> s * step).toArray();
        return new StoredForm(e.name(), QuantFormats.of(e), OUTPUTS, inputs, (matrices, n, k, memory) -> {
            long bytes = (long) matrices * n * k / e.blockElements() * e.blockBytes();
            MemorySegment to = Guarded.of(memory.folder(), bytes, memory.arena());
            RandomBlocks.fill(e, to, memory.random());
            return List.of(to);
        });
    }

    private static List<MemorySegment> pairs(int matrices, int n, int k, Memory memory) throws IOException {
        MemorySegment exponents = Guarded.of(memory.folder(), (long) matrices * n * k / 32, memory.arena());
        for (long i = 0; i < exponents.byteSize(); i++) {
            exponents.set(ValueLayout.JAVA_BYTE, i, (byte) (120 + memory.random().nextInt(5)));
        }
        return List.of(memory.bytes((long) matrices * n * k / 2), exponents);
    }

    private static StoredForm gptq(int group, boolean more, ElementType scale, int... inputs) {
        return new StoredForm("GPTQ by " + group + ", " + scale, QuantFormats.gptq(group, more, false, scale), EIGHTS, inputs,
                (m, n, k, memory) -> columns(group, scale, m, n, k, memory));
    }

    /** With an order: that of the inputs, or another of each matrix. */
    private static List<MemorySegment> ordered(int matrices, int n, int k, boolean another, Memory memory) throws IOException {
        MemorySegment order = Guarded.of(memory.folder(), 4L * matrices * k, memory.arena());
        for (int matrix = 0; matrix < matrices; matrix++) {
            List<Integer> groups = new ArrayList<>(IntStream.range(0, k).mapToObj(i -> i / 64).toList());
            if (another) {
                Collections.shuffle(groups, memory.random());
            }
            for (int i = 0; i < k; i++) {
                order.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 4L * (matrix * k + i), groups.get(i));
            }
        }
        List<MemorySegment> parts = new ArrayList<>(columns(64, ElementType.F16, matrices, n, k, memory));
        parts.add(order);
        return parts;
    }

    private static StoredForm awq(int group, ElementType scale, int... inputs) {
        return new StoredForm("AWQ by " + group + ", " + scale, QuantFormats.awq(group, scale), EIGHTS, inputs,
                (m, n, k, memory) -> columns(group, scale, m, n, k, memory));
    }

    /** Random codes, zero points in the middle. */
    private static List<MemorySegment> columns(int group, ElementType scale, int matrices, int n, int k, Memory memory)
            throws IOException {
        int groups = matrices * (group < 0 ? 1 : Math.ceilDiv(k, group));
        MemorySegment zeros = memory.bytes((long) groups * n / 2);
        for (long i = 0; i < zeros.byteSize(); i++) {
            zeros.set(ValueLayout.JAVA_BYTE, i, (byte) (5 + memory.random().nextInt(6) << 4 | 5 + memory.random().nextInt(6)));
        }
        return List.of(memory.bytes((long) matrices * k * n / 2), zeros, memory.scales(scale, groups * n));
    }

    private static StoredForm blocks(int rows, int columns, ElementType scale, int... inputs) {
        return new StoredForm("FP8 by " + rows + " x " + columns + ", " + scale, QuantFormats.fp8Block(rows, columns, scale), OUTPUTS,
                inputs, (m, n, k, memory) -> List.of(eights(memory, m * n * k),
                        memory.scales(scale, m * Math.ceilDiv(n, rows) * Math.ceilDiv(k, columns))));
    }

    /** E4M3 elements that are numbers. */
    private static MemorySegment eights(Memory memory, int count) throws IOException {
        MemorySegment to = memory.bytes(count);
        for (long i = 0; i < count; i++) {
            byte b = to.get(ValueLayout.JAVA_BYTE, i);
            to.set(ValueLayout.JAVA_BYTE, i, (b & 0x7F) == 0x7F ? (byte) (b ^ 1) : b);
        }
        return to;
    }

    /** A weight that is all there is. */
    Weight weight(int n, int k, Memory memory) throws IOException {
        return Weight.whole(name, format, Shape.of(n, k), parts.of(1, n, k, memory));
    }

    /** A weight that is the last rows of the second of two matrices. */
    Weight later(int n, int k, Memory memory) throws IOException {
        int rows = BEFORE + n;
        return new Weight(name, format, Shape.of(2, rows, k), parts.of(2, rows, k, memory), rows + BEFORE, 0, Shape.of(n, k));
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredForm form && name.equals(form.name) && Arrays.equals(inputs, form.inputs);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
