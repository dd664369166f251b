package poot.core.kernel.generate.row;

import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.graph.Op.ReduceKind;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ReduceOp;

/** How elements of F32 or I32 are joined. The largest and the smallest pass over NaN; of NaN alone they are the infinities. */
record Fold(ReduceKind kind, ElementType type) {
    /** What joining begins with. */
    Reg start(KernelBuilder b) {
        boolean real = type == ElementType.F32;
        return switch (kind) {
            case SUM -> real ? b.f32(0) : b.i32(0);
            case PROD -> real ? b.f32(1) : b.i32(1);
            case MAX -> real ? b.f32(Float.NEGATIVE_INFINITY) : b.i32(Integer.MIN_VALUE);
            case MIN -> real ? b.f32(Float.POSITIVE_INFINITY) : b.i32(Integer.MAX_VALUE);
        };
    }

    /** Two joined. */
    Reg join(KernelBuilder b, Reg x, Reg y) {
        return switch (kind) {
            case SUM -> b.add(x, y);
            case PROD -> b.mul(x, y);
            case MAX -> b.max(x, y);
            case MIN -> b.min(x, y);
        };
    }

    /** The lanes of a subgroup joined. */
    Reg lanes(KernelBuilder b, Reg x) {
        Optional<ReduceOp> op = switch (kind) {
            case SUM -> Optional.of(ReduceOp.ADD);
            case MAX -> Optional.of(ReduceOp.MAX);
            case MIN -> Optional.of(ReduceOp.MIN);
            case PROD -> Optional.empty();
        };
        if (op.isPresent()) {
            return b.reduce(op.get(), x);
        }
        Reg all = x;
        for (int mask = 1; mask < b.subgroupSize(); mask *= 2) {
            all = join(b, all, b.shuffleXor(all, mask));
        }
        return all;
    }
}
