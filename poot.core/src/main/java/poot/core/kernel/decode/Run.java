package poot.core.kernel.decode;

import java.util.List;
import java.util.Optional;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * Neighbouring elements of a row, decoded: element j is {@code codes[j] * scale + offset}, rounded after each step. A sum
 * over a run may take scale and offset out of it.
 *
 * @param codes F32, one an element
 * @param scale F32; absent where it is 1
 * @param offset F32; absent where it is 0
 */
public record Run(List<Reg> codes, Optional<Reg> scale, Optional<Reg> offset) {
    public Run {
        codes = List.copyOf(codes);
    }

    /** Values that need no scale. */
    static Run of(List<Reg> values) {
        return new Run(values, Optional.empty(), Optional.empty());
    }

    /** Codes under one scale. */
    static Run of(List<Reg> codes, Reg scale) {
        return new Run(codes, Optional.of(scale), Optional.empty());
    }

    /** Codes under one scale and offset. */
    static Run of(List<Reg> codes, Reg scale, Reg offset) {
        return new Run(codes, Optional.of(scale), Optional.of(offset));
    }

    /** The elements as their format defines them. */
    public List<Reg> values(KernelBuilder b) {
        return codes.stream().map(c -> {
            Reg scaled = scale.isPresent() ? b.mul(c, scale.get()) : c;
            return offset.isPresent() ? b.add(scaled, offset.get()) : scaled;
        }).toList();
    }
}
