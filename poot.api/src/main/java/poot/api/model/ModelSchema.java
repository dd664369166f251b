package poot.api.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import poot.api.graph.TensorType;

/**
 * The contract between a family and the driver for everything a step reads besides weights.
 *
 * @param programs the programs the model offers, each with the states it carries and the names of its outputs
 * @param inputs   the request inputs the model reads
 */
public record ModelSchema(Map<ProgramName, ProgramSchema> programs, List<RequestInput> inputs) {
    /** Output name of a step: logits F32 [R, V], or [R, T, V] when all are asked for. */
    public static final String LOGITS = "logits";
    /** Output name of an encode pass: F32 [R, D], one embedding a row. */
    public static final String EMBEDDING = "embedding";
    /** Output name of an encode pass: F32 [R], one raw score a row. */
    public static final String SCORE = "score";

    /** Name of the request input that says which text of a pair a token belongs to: I32, one a position, default 0. */
    public static final String SEGMENTS = "token_types";

    /** One program: its carried states and its outputs. */
    public record ProgramSchema(List<StateSpec> states, Set<String> outputs) {
        public ProgramSchema {
            states = List.copyOf(states);
            outputs = Set.copyOf(outputs);
        }
    }

    public ModelSchema {
        programs = Map.copyOf(programs);
        inputs = List.copyOf(inputs);
        long distinct = inputs.stream().map(RequestInput::name).distinct().count();
        if (distinct != inputs.size()) {
            throw new IllegalArgumentException("two request inputs of one name");
        }
    }

    /**
     * Bytes of the cached keys and values of so many positions, of all layers: what a block of a pool takes.
     *
     * @throws ArithmeticException      if they are not counted in 63 bits
     * @throws IllegalArgumentException if the model cannot be cached in that form
     */
    public long kvBytes(int positions, KvForm form) {
        long bytes = 0;
        for (TensorType t : cached(form).values()) {
            bytes = Math.addExact(bytes, Math.multiplyExact(t.bytes(), (long) positions));
        }
        return bytes;
    }

    /** What a step carries of one position's keys and values, by the names of the states: each one slot. */
    public SequencedMap<String, TensorType> cached(KvForm form) {
        StepShape one = StepShape.step(1, 1, 1).withKv(form);
        SequencedMap<String, TensorType> out = new LinkedHashMap<>();
        for (StateSpec s : program(ProgramName.STEP).map(ProgramSchema::states).orElse(List.of())) {
            if (s.extent() == StateSpec.Extent.KV_SLOTS) {
                out.putAll(s.types(one));
            }
        }
        return out;
    }

    /** The program of that name. */
    public Optional<ProgramSchema> program(ProgramName name) {
        return Optional.ofNullable(programs.get(name));
    }

    /** The request input of that name. */
    public Optional<RequestInput> input(String name) {
        return inputs.stream().filter(i -> i.name().equals(name)).findFirst();
    }
}
