package poot.backend.cpu.prepare;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import poot.api.executor.BufferPlan.Place;
import poot.api.executor.ExecutorException;
import poot.api.executor.Program;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.api.graph.TensorType;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Memory;
import poot.backend.cpu.memory.Region;

/** Where every value of one entry lies. */
final class Places {
    private final Program program;
    private final Memory memory;
    private final MemorySegment arena;
    private final Map<Integer, Equation> definitions = new HashMap<>();
    private final Map<Integer, Region> regions = new HashMap<>();
    private final Map<Integer, Weight> weights = new HashMap<>();
    private final Map<String, Prepared.Bound> slots = new HashMap<>();
    private final Map<String, Prepared.Bound> states = new HashMap<>();

    Places(Program program, Weights resident, Memory memory) throws ExecutorException {
        this.program = program;
        this.memory = memory;
        // Most entries of a server wait long for their first run: their pages come as they are touched.
        this.arena = memory.allocateLarge("arena", program.buffers().arenaBytes());
        for (Equation e : program.graph().equations()) {
            e.outputs().forEach(v -> definitions.put(v.id(), e));
            switch (e.op()) {
                case Op.Const c -> weights.put(e.output().id(), resident.of(c));
                case Op.Slot s -> slot(s, e.output());
                case Op.State s -> state(s, e.output());
                case Op.Literal l -> regions.put(e.output().id(), literal(l.data()));
                case Op.PackedDecode p -> read(e);
                case Op.Cast c when c.to() == ElementType.F32 -> read(e);
                default -> { }
            }
        }
    }

    /** A value that is a weight read as F32 is the stored weight itself. */
    private void read(Equation e) {
        Weight w = weights.get(e.inputs().get(0).id());
        if (w != null) {
            weights.put(e.output().id(), w);
        }
    }

    private void slot(Op.Slot s, Value v) throws ExecutorException {
        Prepared.Bound known = slots.get(s.name());
        if (known == null) {
            Region r = Region.of(memory.allocate("slot " + s.name(), s.type().bytes()), 0);
            known = new Prepared.Bound(r, s.type());
            slots.put(s.name(), known);
        }
        regions.put(v.id(), known.region());
    }

    private void state(Op.State s, Value v) {
        Prepared.Bound bound = states.computeIfAbsent(s.name(), n -> new Prepared.Bound(Region.unbound(), s.type()));
        regions.put(v.id(), bound.region());
    }

    private Region literal(LiteralData data) throws ExecutorException {
        MemorySegment s = memory.allocate("literal", data.type().bytes());
        for (int i = 0; i < data.count(); i++) {
            if (data.type().element() == ElementType.BOOL) {
                s.set(Lanes.BYTE, i, (byte) data.bitsAt(i));
            } else {
                s.set(Lanes.INT, 4L * i, data.bitsAt(i));
            }
        }
        return Region.of(s, 0);
    }

    Map<String, Prepared.Bound> slots() {
        return slots;
    }

    Map<String, Prepared.Bound> states() {
        return states;
    }

    Equation definition(Value v) {
        return definitions.get(v.id());
    }

    /** The stored weight a value reads, where its bytes are not those of a dense F32 value elsewhere. */
    Optional<Weight> weight(Value v) {
        return Optional.ofNullable(weights.get(v.id()));
    }

    /** The dense bytes of a value; of a value that lives in no memory of the plan, memory of its own. */
    Region region(Value v) throws ExecutorException {
        Region known = regions.get(v.id());
        if (known == null) {
            known = place(v);
            regions.put(v.id(), known);
        }
        return known;
    }

    private Region place(Value v) throws ExecutorException {
        Place place = program.buffers().places().get(v.id());
        if (place == null) {
            throw Weights.mismatch("the plan has no place for " + v);
        }
        return switch (place) {
            case Place.Arena a -> arena(v, a);
            case Place.SameAs s -> region(valueOf(v, s.value()));
            case Place.Internal i -> Region.of(memory.allocate("value " + v, v.type().bytes()), 0);
            case Place.StateBytes s -> stateBytes(v, s.state());
            case Place.WeightBytes w -> stored(v);
            case Place.SlotBytes s -> throw Weights.mismatch("no slot " + s.slot() + " for " + v);
            case Place.LiteralBytes l -> throw Weights.mismatch("no literal for " + v);
        };
    }

    private Value valueOf(Value of, int id) throws ExecutorException {
        Equation e = definitions.get(id);
        if (e == null) {
            throw Weights.mismatch(of + " lies where undefined value %" + id + " does");
        }
        return e.outputs().stream().filter(o -> o.id() == id).findFirst().orElseThrow();
    }

    private Region arena(Value v, Place.Arena a) throws ExecutorException {
        TensorType t = v.type();
        if (a.offset() < 0 || a.bytes() < t.bytes() || a.offset() + a.bytes() > program.buffers().arenaBytes()) {
            throw Weights.mismatch("the place of " + v + ", " + a + ", does not fit an arena of "
                    + program.buffers().arenaBytes() + " bytes");
        }
        return Region.of(arena, a.offset());
    }

    private Region stateBytes(Value v, String name) throws ExecutorException {
        Prepared.Bound bound = states.get(name);
        if (bound == null || !bound.type().equals(v.type())) {
            throw Weights.mismatch(v + " lies in state " + name + ", which the program does not carry");
        }
        return bound.region();
    }

    /** A dense weight where it is mapped, in its own element type. */
    private Region stored(Value v) throws ExecutorException {
        Weight w = weights.get(v.id());
        if (w == null || !w.format().encoding().isDense() || w.format().encoding().element() != v.element()) {
            throw Weights.mismatch(v + " is no dense weight; a packed one is read by its decode");
        }
        int columns = w.stored().rank() == 0 ? 1 : w.columns();
        return Region.of(w.parts().getFirst(), v.element().bytes() * (w.firstRow() * columns + w.firstColumn()));
    }

    /** Whether a weight read must be decoded before its region holds it. */
    boolean isDecoded(Value v) {
        return weights.containsKey(v.id()) && program.buffers().places().get(v.id()) instanceof Place.Internal;
    }
}
