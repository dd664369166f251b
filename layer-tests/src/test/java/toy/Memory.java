package toy;

import static java.lang.foreign.ValueLayout.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.*;
import java.util.stream.IntStream;
import poot.api.executor.States;
import poot.api.graph.TensorType;
import poot.oracle.Tensor;

/** Tensors by name as bytes, dense, row-major, little-endian: the slots and outputs of an entry, or carried states. */
record Memory(Map<String, TensorType> types, Map<String, MemorySegment> bytes) implements States {
    static Memory in(Arena arena, Map<String, TensorType> types) {
        Map<String, MemorySegment> bytes = new HashMap<>();
        types.forEach((name, t) -> bytes.put(name, arena.allocate(t.bytes())));
        return new Memory(types, bytes);
    }

    Map<String, Tensor> tensors() {
        Map<String, Tensor> out = new HashMap<>();
        types.forEach((name, t) -> out.put(name, tensor(t, bytes.get(name))));
        return out;
    }

    private static Tensor tensor(TensorType t, MemorySegment from) {
        Tensor out = Tensor.zeros(t);
        for (int i = 0; i < out.count(); i++) {
            switch (t.element()) {
                case F32 -> out.floats()[i] = from.getAtIndex(JAVA_FLOAT_UNALIGNED, i);
                case F16 -> out.floats()[i] = Float.float16ToFloat(from.getAtIndex(JAVA_SHORT_UNALIGNED, i));
                case BF16 -> out.floats()[i] = Float.intBitsToFloat(from.getAtIndex(JAVA_SHORT_UNALIGNED, i) << 16);
                case I32, U32 -> out.words()[i] = from.getAtIndex(JAVA_INT_UNALIGNED, i);
                case BOOL, PACKED -> out.words()[i] = from.get(JAVA_BYTE, i);
            }
        }
        return out;
    }

    void put(Map<String, Tensor> tensors) {
        tensors.forEach((name, t) -> IntStream.range(0, t.count()).forEach(i -> {
            MemorySegment to = bytes.get(name);
            switch (t.element()) {
                case F32 -> to.setAtIndex(JAVA_FLOAT_UNALIGNED, i, t.floats()[i]);
                case F16 -> to.setAtIndex(JAVA_SHORT_UNALIGNED, i, Float.floatToFloat16(t.floats()[i]));
                case BF16 -> to.setAtIndex(JAVA_SHORT_UNALIGNED, i, (short) (Float.floatToRawIntBits(t.floats()[i]) >>> 16));
                case I32, U32 -> to.setAtIndex(JAVA_INT_UNALIGNED, i, t.words()[i]);
                case BOOL, PACKED -> to.set(JAVA_BYTE, i, (byte) t.words()[i]);
            }
        }));
    }

    /** Units of the first axis. */
    private MemorySegment units(String state, long from, long count) {
        long unit = types.get(state).bytes() / types.get(state).shape().dim(0);
        return bytes.get(state).asSlice(from * unit, count * unit);
    }

    @Override
    public Set<String> names() {
        return types.keySet();
    }

    @Override
    public void write(String state, long from, MemorySegment b) {
        units(state, from, b.byteSize() / units(state, 0, 1).byteSize()).copyFrom(b);
    }

    @Override
    public void clear(String state, long from, long to) {
        units(state, from, to - from).fill((byte) 0);
    }

    @Override
    public void copy(String state, long from, long to, long count) {
        units(state, to, count).copyFrom(units(state, from, count));
    }

    @Override
    public MemorySegment read(String state) {
        return MemorySegment.ofArray(bytes.get(state).toArray(JAVA_BYTE));
    }

    @Override
    public void close() {
        // the executable's arena owns the bytes
    }
}
