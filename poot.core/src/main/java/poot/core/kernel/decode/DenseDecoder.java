package poot.core.kernel.decode;

import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** F32, F16 and BF16: elements one after another. A run is as long, up to 16, as divides a row. */
record DenseDecoder(StoredMatrix stored) implements WeightDecoder {
    @Override
    public int length() {
        return Integer.lowestOneBit(stored.columns() | 16);
    }

    @Override
    public List<WeightSource> sources() {
        return List.of(new WeightSource.Part(0));
    }

    @Override
    public WeightRow row(KernelBuilder b, List<Reg> sources, Reg row) {
        MemoryType type = Floats.memory(stored.encoding().element());
        Reg from = b.advance(sources.getFirst(), row, (long) stored.columns() * type.bytes());
        return run -> Run.of(Floats.load(b, type, from, b.mul(run, length()), length()));
    }
}
