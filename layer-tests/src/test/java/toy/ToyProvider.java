package toy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.*;
import poot.api.executor.*;
import poot.api.graph.*;
import poot.oracle.Oracle;

/** A whole backend: memory is the host's, and a program's graph is evaluated from its first equation to its last. */
public final class ToyProvider implements ExecutorProvider {
    @Override
    public String name() {
        return "toy";
    }

    @Override
    public int priority() {
        return -1;
    }

    @Override
    public Availability probe() {
        return new Availability.Available("the definitions of all operations, one after the other");
    }

    @Override
    public Executor open(ExecutorOptions options) {
        return new ToyExecutor();
    }

    /** Its own target: has no kernel for a composite, reads every format, and cannot draw, since it has no random bits. */
    private record ToyExecutor() implements Executor, Target {
        @Override
        public String name() {
            return "toy";
        }

        @Override
        public boolean claims(Composite composite) {
            return false;
        }

        @Override
        public Optional<String> refusal(Equation equation) {
            return equation.op() instanceof Op.RandomBits ? Optional.of("it has no random bits") : Optional.empty();
        }

        @Override
        public boolean reads(Format format) {
            return true;
        }

        @Override
        public Target target() {
            return this;
        }

        @Override
        public Executable load(Map<Role, Weight> weights) {
            return new ToyExecutable(Oracle.over(weights::get), weights.keySet(), Arena.ofShared(), new ArrayList<>());
        }

        @Override
        public void close() {
            // holds nothing
        }
    }

    /** One arena owns the bytes of all entries and states. */
    private record ToyExecutable(Oracle oracle, Set<Role> roles, Arena arena, List<Memory> held) implements Executable {
        @Override
        public Entry addEntry(Program program) throws ExecutorException {
            for (Op.Const c : program.graph().constants()) {
                require(roles.contains(c.role()), "weight " + c.role() + " was not loaded");
            }
            Map<String, TensorType> slots = new HashMap<>();
            Map<String, TensorType> outputs = new HashMap<>();
            program.graph().slots().forEach(s -> slots.put(s.name(), s.type()));
            program.graph().outputs().forEach(o -> outputs.put(o.name(), o.value().type()));
            return new ToyEntry(program, oracle, memory(slots), memory(outputs));
        }

        @Override
        public States allocate(Map<String, TensorType> states) {
            return memory(states);
        }

        private Memory memory(Map<String, TensorType> types) {
            held.add(Memory.in(arena, types));
            return held.getLast();
        }

        @Override
        public long residentBytes() {
            return held.stream().flatMap(m -> m.types().values().stream()).mapToLong(TensorType::bytes).sum();
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    private record ToyEntry(Program program, Oracle oracle, Memory slots, Memory outputs) implements Entry {
        @Override
        public MemorySegment input(String slot) {
            return slots.bytes().get(slot);
        }

        @Override
        public MemorySegment output(String name) {
            return outputs.bytes().get(name).asReadOnly();
        }

        /** Kernels and places are a plan that may be followed; the equations alone say what must come out. */
        @Override
        public void run(States given) throws ExecutorException {
            require(given instanceof Memory, "the states were not allocated here");
            Memory states = (Memory) given;
            for (Graph.Carried c : program.graph().states()) {
                require(c.before().type().equals(states.types().get(c.name())), "state " + c.name() + " is not a " + c.before().type());
            }
            Oracle.Result result = oracle.run(program.graph(), slots.tensors(), states.tensors());
            for (String what : result.failures().keySet()) {
                throw new ExecutorException(new ExecutorException.Invalid(what, result.failures().get(what)));
            }
            outputs.put(result.outputs());
            states.put(result.states());
        }

        @Override
        public void close() {
            // the executable's arena owns the bytes
        }
    }

    private static void require(boolean holds, String what) throws ExecutorException {
        if (!holds) {
            throw new ExecutorException(new ExecutorException.Mismatch(what));
        }
    }
}
