package poot.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.CheckpointException;

/** Checks the tensor table of one GGUF file against its data and maps each tensor. */
final class GgufTensors {
    /** A tensor's place in the data, in bytes. */
    private record Range(String name, long begin, long end) {}

    private final MappedFile mapped;
    private final GgufHeader header;
    private final Path file;
    private final List<Range> ranges = new ArrayList<>();

    private GgufTensors(MappedFile mapped, GgufHeader header) {
        this.mapped = mapped;
        this.header = header;
        this.file = mapped.path();
    }

    /** Adds the weights of a file to {@code into}; a name that is already there is refused. */
    static void map(MappedFile mapped, GgufHeader header, Formats formats, Map<String, Weight> into)
            throws CheckpointException {
        GgufTensors tensors = new GgufTensors(mapped, header);
        for (GgufHeader.Tensor t : header.tensors()) {
            if (into.putIfAbsent(t.name(), tensors.weight(t, formats)) != null) {
                throw Faults.malformed(mapped.path(), Faults.tensor(t.name()), "another file of the set holds it too");
            }
        }
        tensors.refuseOverlap();
    }

    private Weight weight(GgufHeader.Tensor t, Formats formats) throws CheckpointException {
        String where = Faults.tensor(t.name());
        Encoding encoding = GgmlTypes.encoding(t.type())
                .orElseThrow(() -> Faults.unsupported(file, where, GgmlTypes.describe(t.type())));
        long[] dims = t.dims();
        long[] outermostFirst = new long[dims.length];
        for (int i = 0; i < dims.length; i++) {
            outermostFirst[i] = dims[dims.length - 1 - i];
        }
        Shape shape = Shapes.checked(file, where, outermostFirst);
        if (dims[0] % encoding.blockElements() != 0) {
            throw Faults.malformed(file, where, "rows of " + dims[0] + " elements are not whole blocks of "
                    + encoding.blockElements() + ", which " + encoding + " has");
        }
        long bytes = shape.count() / encoding.blockElements() * encoding.blockBytes();
        long available = Math.max(0, mapped.bytes().byteSize() - header.dataStart());
        if (t.offset() < 0 || t.offset() % header.alignment() != 0) {
            throw Faults.malformed(file, where, "offset " + Long.toUnsignedString(t.offset())
                    + " is not a multiple of the alignment " + header.alignment());
        }
        if (t.offset() > available || bytes > available - t.offset()) {
            throw Faults.malformed(file, where, "needs " + bytes + " bytes at offset " + t.offset() + " of the data; the file has "
                    + available + " bytes of data");
        }
        ranges.add(new Range(t.name(), t.offset(), t.offset() + bytes));
        MemorySegment part = mapped.bytes().asSlice(header.dataStart() + t.offset(), bytes);
        return Weight.whole(t.name(), formats.of(encoding), shape, List.of(part));
    }

    private void refuseOverlap() throws CheckpointException {
        ranges.sort(Comparator.comparingLong(Range::begin));
        for (int i = 1; i < ranges.size(); i++) {
            Range before = ranges.get(i - 1);
            Range after = ranges.get(i);
            if (after.begin() < before.end()) {
                throw Faults.malformed(file, Faults.tensor(after.name()), "starts at offset " + after.begin()
                        + ", inside " + Faults.tensor(before.name()) + ", which ends at " + before.end());
            }
        }
    }
}
