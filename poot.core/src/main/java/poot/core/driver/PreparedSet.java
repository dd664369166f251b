package poot.core.driver;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import poot.api.driver.DriverOptions;
import poot.api.driver.PrepareException;
import poot.api.driver.PrepareFault;
import poot.api.executor.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.MemoryLeft;
import poot.api.executor.Program;
import poot.api.executor.Target;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.model.Model;
import poot.api.model.RequestInput;
import poot.api.model.StepInput;
import poot.api.model.StepSpec;
import poot.core.compile.CompileException;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.sample.Head;
import poot.core.sample.SampleSlot;
import poot.core.sample.SamplingSuffix;

/** The ledger of compiled steps: each is prepared once, never replaced, and refused before it passes a limit. */
final class PreparedSet {
    private final ModelHandle handle;
    private final Target target;
    private final Executable executable;
    private final DriverOptions options;
    private final Map<EntryKey, PreparedEntry> entries = new LinkedHashMap<>();
    private final Map<StepSpec, Graph> traces = new HashMap<>();
    private final Map<String, TensorType> states = new HashMap<>();

    PreparedSet(ModelHandle handle, Target target, Executable executable, DriverOptions options) {
        this.handle = handle;
        this.target = target;
        this.executable = executable;
        this.options = options;
    }

    /** Traces, compiles and adds a step. */
    void add(EntryKey key) throws PrepareException {
        if (entries.containsKey(key)) {
            return;
        }
        if (entries.size() >= options.bounds().entries()) {
            throw new PrepareException(new PrepareFault.TooManyEntries(options.bounds().entries(), entries.size() + 1));
        }
        Graph graph = traced(key);
        checkSlots(key, graph);
        Program program = compiled(key, graph);
        Map<String, TensorType> carried = new HashMap<>(states);
        graph.states().forEach(c -> carried.put(c.name(), c.before().type()));
        checkBytes(key, program, carried);
        try {
            entries.put(key, new PreparedEntry(key, executable.addEntry(program), handle.model().schema().inputs()));
        } catch (ExecutorException e) {
            throw new PrepareException(new PrepareFault.Device(key.toString(), e.fault()));
        }
        states.putAll(carried);
    }

    /** Forgets the traces that heads of one step shared: the set is whole. */
    void finish() {
        traces.clear();
    }

    private Graph traced(EntryKey key) throws PrepareException {
        try {
            StepSpec spec = new StepSpec(key.program(), key.shape(), key.carried());
            Graph graph = traces.get(spec);
            if (graph == null) {
                graph = handle.model().trace(spec, options.bounds().trace());
                traces.put(spec, graph);
            }
            return SamplingSuffix.append(graph, key.shape(), key.head(), options.bounds().trace());
        } catch (TraceException e) {
            throw new PrepareException(new PrepareFault.Untraceable(key.toString(), e.fault()));
        }
    }

    private Program compiled(EntryKey key, Graph graph) throws PrepareException {
        try {
            return Compiler.compile(graph, handle.weights(), target, new CompileOptions(options.verify(), options.fusion()));
        } catch (CompileException e) {
            throw new PrepareException(new PrepareFault.Uncompilable(key.toString(), e.fault()));
        }
    }

    /** Every slot is a step input, a declared request input that this step binds, or one of the sampling suffix. */
    private void checkSlots(EntryKey key, Graph graph) throws PrepareException {
        Model model = handle.model();
        for (Op.Slot s : graph.slots()) {
            Optional<TensorType> bound = List.of(StepInput.values()).stream().filter(i -> i.slot().equals(s.name()))
                    .map(i -> i.type(key.shape())).findFirst();
            bound = bound.or(() -> model.schema().input(s.name())
                    .filter(i -> i.presence() != RequestInput.Presence.OPTIONAL || key.carried().contains(i.name()))
                    .map(i -> i.type(key.shape())));
            bound = bound.or(() -> List.of(SampleSlot.values()).stream()
                    .filter(i -> key.head() instanceof Head.Sample && i.slot().equals(s.name()))
                    .map(i -> i.type(key.shape())).findFirst());
            if (bound.isEmpty() || !bound.get().equals(s.type())) {
                throw new PrepareException(new PrepareFault.UnboundSlot(key.toString(), s.name() + " " + s.type()));
            }
        }
    }

    /** What is not allocated yet must fit what the memory has left; all but the weights, the bound of the options. */
    private void checkBytes(EntryKey key, Program program, Map<String, TensorType> carried) throws PrepareException {
        long states = sum(carried.values().stream());
        long bytes = program.buffers().arenaBytes() + sum(program.graph().slots().stream().map(Op.Slot::type)) + states;
        long held = executable.residentBytes() - executable.weightBytes() + bytes;
        if (held > options.bounds().retainedBytes()) {
            throw new PrepareException(new PrepareFault.TooManyBytes(key.toString(), options.bounds().retainedBytes(), held));
        }
        Optional<MemoryLeft> memory = executable.memory();
        if (memory.isPresent() && bytes > memory.get().free()) {
            OutOfMemory lack = new OutOfMemory("the cache and other states (" + MemoryLeft.readable(states) + ") and the values of a step ("
                    + MemoryLeft.readable(bytes - states) + ")", bytes, memory);
            throw new PrepareException(new PrepareFault.Device(key.toString(), lack));
        }
    }

    private static long sum(Stream<TensorType> types) {
        return types.mapToLong(TensorType::bytes).sum();
    }

    /** The carried states of all entries, by name. */
    Map<String, TensorType> states() {
        return states;
    }

    /** All entries, in the order prepared. */
    List<PreparedEntry> entries() {
        return new ArrayList<>(entries.values());
    }

    /** The entry of a key. */
    Optional<PreparedEntry> find(EntryKey key) {
        return Optional.ofNullable(entries.get(key));
    }

    /** The combinations of optional inputs a program was prepared for. */
    boolean carries(Set<String> combination) {
        return entries.keySet().stream().anyMatch(k -> k.carried().equals(combination));
    }
}
