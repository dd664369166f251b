package poot.core.driver;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import poot.api.executor.Entry;
import poot.api.graph.Op;
import poot.api.model.RequestInput;

/** One compiled step with its input buffers by slot. */
final class PreparedEntry {
    private final EntryKey key;
    private final Entry entry;
    private final Map<String, MemorySegment> slots = new HashMap<>();
    private final List<RequestInput> inputs;
    private final Set<String> outputs;

    PreparedEntry(EntryKey key, Entry entry, List<RequestInput> declared) {
        this.key = key;
        this.entry = entry;
        for (Op.Slot s : entry.program().graph().slots()) {
            slots.put(s.name(), entry.input(s.name()));
        }
        this.inputs = declared.stream().filter(i -> slots.containsKey(i.name())).toList();
        this.outputs = entry.program().graph().outputs().stream().map(o -> o.name()).collect(Collectors.toUnmodifiableSet());
    }

    EntryKey key() {
        return key;
    }

    Entry entry() {
        return entry;
    }

    /** Rows the step takes. */
    int rows() {
        return key.shape().rows();
    }

    /** Tokens of each row. */
    int tokens() {
        return key.shape().tokens();
    }

    /** The buffer of a slot, if the compiled step reads it. */
    Optional<MemorySegment> slot(String name) {
        return Optional.ofNullable(slots.get(name));
    }

    /** The request inputs the compiled step reads. */
    List<RequestInput> inputs() {
        return inputs;
    }

    /** Whether the step has an output of that name. */
    boolean gives(String output) {
        return outputs.contains(output);
    }
}
