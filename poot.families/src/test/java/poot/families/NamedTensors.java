package poot.families;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.WeightStore;

/** Tensors with names and shapes and no values: what building a model may read. */
final class NamedTensors implements WeightStore {
    private final SortedMap<String, Shape> shapes = new TreeMap<>();

    private record NoValues() implements Format {
        @Override
        public Encoding encoding() {
            return Encoding.F32;
        }

        @Override
        public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
            throw new AssertionError("building a model decodes no weight");
        }
    }

    NamedTensors with(String name, int... dims) {
        shapes.put(name, Shape.of(dims));
        return this;
    }

    NamedTensors without(String name) {
        shapes.remove(name);
        return this;
    }

    @Override
    public SortedSet<String> names() {
        return new TreeSet<>(shapes.keySet());
    }

    @Override
    public Optional<Weight> find(String name) {
        return Optional.ofNullable(shapes.get(name)).map(s -> Weight.whole(name, new NoValues(), s, List.of()));
    }

    @Override
    public void close() {}
}
