package poot.core.kernel.interpret;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Place;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/** The memory of one workgroup, every access checked: that it is within, aligned, written before it is read, and alone. */
final class Accesses {
    private final Site site;
    private final Registers registers;
    private final List<Binding> bindings;
    private final Map<SharedArray, TrackedMemory> shared = new HashMap<>();
    private final Deque<List<Copy>> committed = new ArrayDeque<>();
    private List<Copy> begun = new ArrayList<>();

    /** Where an access goes, checked. */
    private record Target(TrackedMemory memory, long offset, boolean noted) {}

    /** A copy on its way. */
    private record Copy(int thread, Instruction instruction, Target from, Target to, int bytes) {}

    Accesses(DeviceKernel kernel, Site site, Registers registers, List<Binding> bindings) {
        this.site = site;
        this.registers = registers;
        this.bindings = bindings;
        for (SharedArray a : kernel.shared()) {
            shared.put(a, new TrackedMemory("shared " + a.name(), MemorySegment.ofArray(new byte[a.length() * a.type().bytes()]), false));
        }
    }

    void load(Instruction.Load l, int[] lanes) throws KernelFaultException {
        MemoryType type = l.place().type();
        int count = l.results().size();
        for (int t : lanes) {
            Target at = target(l.place(), t, 0, count * type.bytes(), count * type.bytes());
            for (int k = 0; k < count; k++) {
                registers.words(l.results().get(k))[t] = at.memory.read(at.offset + (long) k * type.bytes(), type, at.noted, site);
            }
        }
    }

    void store(Instruction.Store s, int[] lanes) throws KernelFaultException {
        MemoryType type = s.place().type();
        int count = s.values().size();
        for (int t : lanes) {
            Target at = target(s.place(), t, 0, count * type.bytes(), count * type.bytes());
            for (int k = 0; k < count; k++) {
                at.memory.write(at.offset + (long) k * type.bytes(), type, registers.words(s.values().get(k))[t], site);
            }
        }
    }

    void atomic(Instruction.Atomic a, int[] lanes) throws KernelFaultException {
        for (int t : lanes) {
            Target at = target(a.place(), t, 0, 4, 4);
            int value = registers.words(a.value())[t];
            IntUnaryOperator change = switch (a.op()) {
                case ADD -> old -> old + value;
                case MAX -> old -> Integer.compareUnsigned(old, value) >= 0 ? old : value;
                case OR -> old -> old | value;
            };
            registers.words(a.result())[t] = at.memory.update(at.offset, change, site);
        }
    }

    void copy(Instruction.CopyAsync c, int[] lanes) throws KernelFaultException {
        for (int t : lanes) {
            Target from = target(c.from(), t, 0, c.bytes(), c.bytes());
            Target to = target(c.to(), t, 0, c.bytes(), c.bytes());
            from.memory.beforeRead(from.offset, c.bytes(), from.noted, site);
            to.memory.beforeWrite(to.offset, c.bytes(), false, site);
            to.memory.define(to.offset, c.bytes(), false);
            begun.add(new Copy(t, c, from, to, c.bytes()));
        }
    }

    void commit() {
        committed.add(begun);
        begun = new ArrayList<>();
    }

    void await(int pending) throws KernelFaultException {
        Instruction here = site.instruction;
        while (committed.size() > pending) {
            for (Copy c : committed.remove()) {
                site.thread = c.thread;
                site.instruction = c.instruction;
                c.from.memory.beforeRead(c.from.offset, c.bytes, c.from.noted, site);
                c.to.memory.beforeWrite(c.to.offset, c.bytes, false, site);
                c.from.memory.copyTo(c.to.memory, c.from.offset, c.to.offset, c.bytes);
            }
        }
        site.instruction = here;
    }

    /** Reads the elements of a matrix, row by row, as one thread. */
    void loadMatrix(Place place, int thread, int stride, boolean rows, int size, int[] to) throws KernelFaultException {
        for (int r = 0; r < size; r++) {
            for (int c = 0; c < size; c++) {
                Target at = element(place, thread, stride, rows, r, c);
                to[r * size + c] = at.memory.read(at.offset, place.type(), at.noted, site);
            }
        }
    }

    /** Writes the elements of a matrix as one thread. */
    void storeMatrix(Place place, int thread, int stride, boolean rows, int size, int[] from) throws KernelFaultException {
        for (int r = 0; r < size; r++) {
            for (int c = 0; c < size; c++) {
                Target at = element(place, thread, stride, rows, r, c);
                at.memory.write(at.offset, place.type(), from[r * size + c], site);
            }
        }
    }

    private Target element(Place place, int thread, int stride, boolean rows, int r, int c) throws KernelFaultException {
        long shift = (rows ? r : c) * Integer.toUnsignedLong(stride) + (rows ? c : r);
        return target(place, thread, shift, place.type().bytes(), shift == 0 ? 16 : place.type().bytes());
    }

    private Target target(Place place, int thread, long shift, int bytes, int alignment) throws KernelFaultException {
        site.thread = thread;
        long at = (Integer.toUnsignedLong(registers.words(place.index())[thread]) + shift) * place.type().bytes();
        return switch (place) {
            case Place.Shared s -> {
                TrackedMemory memory = shared.get(s.array());
                within(memory.what(), at, bytes, memory.bytes().byteSize());
                aligned(memory.what(), at, alignment);
                yield new Target(memory, at, true);
            }
            case Place.Global g -> global(g.buffer(), thread, at, bytes, alignment);
        };
    }

    private Target global(Reg buffer, int thread, long at, int bytes, int alignment) throws KernelFaultException {
        Binding b = bindings.get(registers.words(buffer)[thread]);
        long address = registers.addresses(buffer)[thread] + at;
        if (address - b.address() < 0 || address - b.address() > b.bytes() - bytes || address % alignment != 0) {
            String what = b.param().name() + " (" + b.memory().what() + ")";
            within(what, address - b.address(), bytes, b.bytes());
            aligned(what, address, alignment);
        }
        return new Target(b.memory(), address - b.address() + b.offset(), b.written());
    }

    private void within(String what, long offset, int bytes, long size) throws KernelFaultException {
        if (offset < 0 || offset > size - bytes) {
            throw new KernelFaultException(new KernelFault.OutOfBounds(site.where(), what, offset, bytes, size));
        }
    }

    private void aligned(String what, long address, int alignment) throws KernelFaultException {
        if (address % alignment != 0) {
            throw new KernelFaultException(new KernelFault.Misaligned(site.where(), what, address, alignment));
        }
    }
}
