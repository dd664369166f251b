package poot.core.kernel.plan;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import poot.api.executor.BufferPlan.Place;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.Program;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.TensorType;
import poot.api.graph.Value;

/** Where every value of one program lies. */
final class Places {
    /** What offsets of slots, literals, outputs and scratch are multiples of. */
    static final int ALIGNMENT = 256;

    private final Program program;
    private final Map<Integer, Equation> definitions = new HashMap<>();
    private final Map<Integer, Span> spans = new HashMap<>();
    private final Map<Integer, Resident> weights = new HashMap<>();
    private final Map<String, Span> slots = new LinkedHashMap<>();
    private final Map<String, TensorType> states = new LinkedHashMap<>();
    private final Map<LiteralData, Span> literals = new HashMap<>();
    private final Map<Integer, Span> inKernel = new HashMap<>();
    private final ByteArrayOutputStream literalBytes = new ByteArrayOutputStream();
    private long slotBytes;
    private long scratch;
    private long scratchBytes;

    Places(Program program, Map<Role, Resident> resident) throws ExecutorException {
        this.program = program;
        for (Equation e : program.graph().equations()) {
            e.outputs().forEach(v -> definitions.put(v.id(), e));
            switch (e.op()) {
                case Op.Const c -> weights.put(e.output().id(), resident(c, resident.get(c.role())));
                case Op.Slot s -> spans.put(e.output().id(), slot(s));
                case Op.State s -> {
                    states.put(s.name(), s.type());
                    spans.put(e.output().id(), new Span(new Home.State(s.name()), 0, s.type().bytes()));
                }
                case Op.Literal l -> spans.put(e.output().id(), literal(l.data()));
                case Op.PackedDecode p -> read(e);
                case Op.Cast c when c.to() == ElementType.F32 -> read(e);
                default -> { }
            }
        }
    }

    private static Resident resident(Op.Const c, Resident r) throws ExecutorException {
        if (r == null) {
            throw mismatch("weight " + c.role() + " is read by the program but was not loaded");
        }
        if (!r.weight().shape().equals(c.type().shape()) || r.element() != c.type().element()) {
            throw mismatch("weight " + c.role() + " (" + r.weight().name() + ") is " + r.weight().format().encoding()
                    + r.weight().shape() + " but the program reads " + c.type());
        }
        return r;
    }

    /** A value that is a weight read as F32 is the stored weight itself, where it has no memory of its own. */
    private void read(Equation e) {
        Resident w = weights.get(e.inputs().getFirst().id());
        if (w != null && program.buffers().places().get(e.output().id()) instanceof Place.Internal) {
            weights.put(e.output().id(), w);
        }
    }

    private Span slot(Op.Slot s) {
        return slots.computeIfAbsent(s.name(), n -> {
            Span out = new Span(Home.Area.SLOTS, slotBytes, s.type().bytes());
            slotBytes = aligned(slotBytes + out.bytes());
            return out;
        });
    }

    private Span literal(LiteralData data) {
        return literals.computeIfAbsent(data, d -> {
            Span out = new Span(Home.Area.LITERALS, literalBytes.size(), d.type().bytes());
            for (int i = 0; i < d.count(); i++) {
                for (int k = 0; k < d.type().element().bytes(); k++) {
                    literalBytes.write(d.bitsAt(i) >> 8 * k);
                }
            }
            literalBytes.writeBytes(new byte[(int) (aligned(literalBytes.size()) - literalBytes.size())]);
            return out;
        });
    }

    static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    Map<String, Span> slots() {
        return slots;
    }

    long slotBytes() {
        return slotBytes;
    }

    Map<String, TensorType> states() {
        return states;
    }

    byte[] literalBytes() {
        return literalBytes.toByteArray();
    }

    long scratchBytes() {
        return scratchBytes;
    }

    Equation definition(Value v) {
        return definitions.get(v.id());
    }

    /** Begins another kernel: what the last one had in scratch is gone. */
    void nextKernel() {
        scratch = 0;
        inKernel.clear();
    }

    /** Memory for a value of this kernel. */
    Span scratch(long bytes) {
        Span out = new Span(Home.Area.SCRATCH, scratch, bytes);
        scratch = aligned(scratch + bytes);
        scratchBytes = Math.max(scratchBytes, scratch);
        return out;
    }

    /** The stored weight a value is, where it has no other memory. */
    Optional<Resident> weight(Value v) {
        return Optional.ofNullable(weights.get(v.id()));
    }

    /** The value that another is a view of. */
    Value root(Value v) throws ExecutorException {
        Value out = v;
        while (program.buffers().places().get(out.id()) instanceof Place.SameAs s) {
            out = valueOf(out, s.value());
        }
        return out;
    }

    /** Whether a value stays inside its kernel. */
    boolean isInternal(Value v) {
        return program.buffers().places().get(v.id()) instanceof Place.Internal;
    }

    /** The bytes of a value that is no weight; one that the program leaves inside its kernel has scratch. */
    Span span(Value v) throws ExecutorException {
        Span known = spans.get(v.id());
        if (known != null) {
            return known;
        }
        Place place = program.buffers().places().get(v.id());
        if (place == null) {
            throw mismatch("the plan has no place for " + v);
        }
        return switch (place) {
            case Place.Arena a -> arena(v, a);
            case Place.SameAs s -> span(valueOf(v, s.value()));
            case Place.Internal i -> inKernel.computeIfAbsent(v.id(), id -> scratch(v.type().bytes()));
            case Place.StateBytes s -> state(v, s.state());
            case Place.WeightBytes w -> throw mismatch(v + " is a weight and no value in memory");
            case Place.SlotBytes s -> throw mismatch("no slot " + s.slot() + " for " + v);
            case Place.LiteralBytes l -> throw mismatch("no literal for " + v);
        };
    }

    private Value valueOf(Value of, int id) throws ExecutorException {
        Equation e = definitions.get(id);
        if (e == null) {
            throw mismatch(of + " lies where undefined value %" + id + " does");
        }
        return e.outputs().stream().filter(o -> o.id() == id).findFirst().orElseThrow();
    }

    private Span arena(Value v, Place.Arena a) throws ExecutorException {
        if (a.offset() < 0 || a.bytes() < v.type().bytes() || a.offset() > program.buffers().arenaBytes() - a.bytes()) {
            throw mismatch("the place of " + v + ", " + a + ", does not fit an arena of " + program.buffers().arenaBytes() + " bytes");
        }
        return new Span(Home.Area.ARENA, a.offset(), v.type().bytes());
    }

    private Span state(Value v, String name) throws ExecutorException {
        if (!v.type().equals(states.get(name))) {
            throw mismatch(v + " lies in state " + name + ", which the program does not carry");
        }
        return new Span(new Home.State(name), 0, v.type().bytes());
    }

    static ExecutorException mismatch(String what) {
        return new ExecutorException(new Mismatch(what));
    }
}
