package poot.core.kernel.ir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The half of a {@link KernelBuilder} that reads and writes memory. An index counts elements of the memory type and is
 * U32; an access of 2 or 4 lanes must lie on a multiple of lanes * element bytes.
 */
public abstract sealed class MemoryBuilder extends ArithmeticBuilder permits KernelBuilder {
    final Map<String, SharedArray> shared = new LinkedHashMap<>();

    MemoryBuilder() {}

    /** Declares memory of {@code length} elements that the workgroup shares; undefined at the start. */
    public SharedArray shared(String name, MemoryType type, int length) {
        SharedArray out = new SharedArray(name, type, length);
        if (shared.putIfAbsent(name, out) != null) {
            throw new InvalidKernelException("a second shared array " + name, "give each its own name");
        }
        return out;
    }

    /** The element {@code index} of a buffer. */
    public static Place at(MemoryType type, Reg buffer, Reg index) {
        return new Place.Global(type, buffer, index);
    }

    /** The element {@code index} of a shared array. */
    public static Place at(SharedArray array, Reg index) {
        return new Place.Shared(array, index);
    }

    /** {@code buffer + count * strideBytes}, in 64 bits. */
    public Reg advance(Reg buffer, Reg count, long strideBytes) {
        Types.require(buffer.type() == ScalarType.BUFFER && count.type() == ScalarType.U32, "advance", buffer, count);
        var known = literal(count);
        if (known.isPresent() && known.getAsInt() == 0) {
            return buffer;
        }
        return add(new Instruction.Advance(fresh(ScalarType.BUFFER), buffer, count, strideBytes));
    }

    /** The element {@code index} of a buffer, converted to the register's type. */
    public Reg load(MemoryType type, Reg buffer, Reg index) {
        return load(at(type, buffer, index), 1).getFirst();
    }

    /** {@code lanes} (1, 2 or 4) elements of a buffer from {@code index} on, a multiple of lanes. */
    public List<Reg> load(MemoryType type, Reg buffer, Reg index, int lanes) {
        return load(at(type, buffer, index), lanes);
    }

    /** The element {@code index} of a shared array. */
    public Reg load(SharedArray array, Reg index) {
        return load(at(array, index), 1).getFirst();
    }

    /** {@code lanes} (1, 2 or 4) elements of a shared array from {@code index} on, a multiple of lanes. */
    public List<Reg> load(SharedArray array, Reg index, int lanes) {
        return load(at(array, index), lanes);
    }

    /** {@code lanes} (1, 2 or 4) elements from a place on. */
    public List<Reg> load(Place place, int lanes) {
        requirePlace("load", place);
        requireLanes(lanes);
        List<Reg> out = new ArrayList<>(lanes);
        for (int i = 0; i < lanes; i++) {
            out.add(fresh(place.type().register()));
        }
        emit(new Instruction.Load(out, place));
        return out;
    }

    /** Writes 1, 2 or 4 elements of a buffer from {@code index} on, a multiple of as many. */
    public void store(MemoryType type, Reg buffer, Reg index, Reg... values) {
        store(at(type, buffer, index), Arrays.asList(values));
    }

    /** Writes 1, 2 or 4 elements of a buffer from {@code index} on, a multiple of as many. */
    public void store(MemoryType type, Reg buffer, Reg index, List<Reg> values) {
        store(at(type, buffer, index), values);
    }

    /** Writes 1, 2 or 4 elements of a shared array from {@code index} on, a multiple of as many. */
    public void store(SharedArray array, Reg index, Reg... values) {
        store(at(array, index), Arrays.asList(values));
    }

    /** Writes 1, 2 or 4 elements of a shared array from {@code index} on, a multiple of as many. */
    public void store(SharedArray array, Reg index, List<Reg> values) {
        store(at(array, index), values);
    }

    /** Writes 1, 2 or 4 elements from a place on. */
    public void store(Place place, List<Reg> values) {
        requirePlace("store", place);
        requireLanes(values.size());
        Types.require(Types.all(values, place.type().register()), "store to " + place.type(), values.toArray(Reg[]::new));
        emit(new Instruction.Store(place, values));
    }

    /** Does {@code op} with a U32 of a buffer or shared array; the value before. */
    public Reg atomic(AtomicOp op, Place place, Reg value) {
        requirePlace("atomic " + op, place);
        Types.require(place.type() == MemoryType.U32 && value.type() == ScalarType.U32, "atomic " + op + " on " + place.type(), value);
        return add(new Instruction.Atomic(fresh(ScalarType.U32), op, place, value));
    }

    /** Begins to copy {@code bytes} (4, 8 or 16) from a buffer to a shared array; see {@link Instruction.CopyAsync}. */
    public void copyAsync(SharedArray to, Reg toIndex, MemoryType type, Reg buffer, Reg index, int bytes) {
        Place.Shared target = new Place.Shared(to, toIndex);
        Place.Global source = new Place.Global(type, buffer, index);
        requirePlace("copy", target);
        requirePlace("copy", source);
        if (bytes != 4 && bytes != 8 && bytes != 16) {
            throw new InvalidKernelException("a copy of " + bytes + " bytes", "copy 4, 8 or 16");
        }
        emit(new Instruction.CopyAsync(target, source, bytes));
    }

    /** Makes a group of the copies begun since the last one. */
    public void commitCopies() {
        emit(new Instruction.CommitCopies());
    }

    /** Waits until at most {@code pending} groups of copies are unfinished. */
    public void awaitCopies(int pending) {
        if (pending < 0) {
            throw new InvalidKernelException("awaiting " + pending + " copies", "use 0 or more");
        }
        emit(new Instruction.AwaitCopies(pending));
    }

    // Fragments

    /** A fragment whose elements are all {@code value}: F32, or I32 of I8 and I32. */
    public Reg fill(Fragment type, Reg value) {
        boolean integer = type.element() == MemoryType.I8 || type.element() == MemoryType.I32;
        Types.require(value.type() == (integer ? ScalarType.I32 : ScalarType.F32), "fill of " + type, value);
        return add(new Instruction.FragmentFill(fresh(type), value));
    }

    /** A fragment from a buffer or shared array, {@code stride} elements (U32) from row (or column) to the next. */
    public Reg loadFragment(Fragment type, Place place, Reg stride, Layout layout) {
        requirePlace("load of " + type, place);
        Types.require(place.type() == type.element() && stride.type() == ScalarType.U32, "load of " + type + " from " + place.type(), stride);
        return add(new Instruction.FragmentLoad(fresh(type), place, stride, layout));
    }

    /** {@code accumulator + a * b}. */
    public Reg multiply(Reg a, Reg b, Reg accumulator) {
        Types.require(KernelValidator.multiplies(a, b, accumulator), "multiply", a, b, accumulator);
        return add(new Instruction.FragmentMultiply(fresh(accumulator.type()), a, b, accumulator));
    }

    /** Writes an accumulator to a buffer or shared array, {@code stride} elements (U32) from row (or column) to the next. */
    public void storeFragment(Reg fragment, Place place, Reg stride, Layout layout) {
        requirePlace("store of a fragment", place);
        Types.require(fragment.type() instanceof Fragment f && f.use() == Fragment.Use.ACCUMULATOR && f.element() == place.type()
                && stride.type() == ScalarType.U32, "store of a fragment to " + place.type(), fragment, stride);
        emit(new Instruction.FragmentStore(fragment, place, stride, layout));
    }

    private void requirePlace(String op, Place place) {
        Types.require(place.index().type() == ScalarType.U32, op + ", index", place.index());
        switch (place) {
            case Place.Global g -> Types.require(g.buffer().type() == ScalarType.BUFFER, op + ", buffer", g.buffer());
            case Place.Shared s -> {
                if (!s.array().equals(shared.get(s.array().name()))) {
                    throw new InvalidKernelException(op + " of shared array " + s.array().name(), "declare it with this kernel's shared()");
                }
            }
        }
    }

    private static void requireLanes(int lanes) {
        if (lanes != 1 && lanes != 2 && lanes != 4) {
            throw new InvalidKernelException("an access of " + lanes + " lanes", "use 1, 2 or 4");
        }
    }
}
