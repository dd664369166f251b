package poot.core.kernel.generate.attention;

import java.util.List;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * Where a workgroup leaves what it found: in the result F32 [R, T, H, Dv], or, where the cache is read in parts, in
 * sums F32 [R, T, H, parts, Dv] and marks F32 [R, T, H, parts, 2], the largest score of the part and its total.
 */
final class Outcome {
    private final KernelBuilder b;
    private final AttentionSpec spec;
    private final Inputs in;
    private final boolean split;
    private final Reg result;
    private final Reg marks;
    private final Reg parts;

    /** Declares the buffers and all numbers: parameters result | sums, marks; tokens, blocks, slots; parts where split. */
    Outcome(KernelBuilder b, AttentionSpec spec, Inputs in, boolean split) {
        this.b = b;
        this.spec = spec;
        this.in = in;
        this.split = split;
        result = b.buffer(split ? "sums" : "result", Access.WRITE);
        marks = split ? b.buffer("marks", Access.WRITE) : null;
        in.declareSizes();
        parts = split ? b.scalar("parts", ScalarType.U32) : null;
    }

    /** The part a workgroup is for, U32. */
    Reg part() {
        return split ? b.workgroupZ() : b.u32(0);
    }

    private Reg index(Reg row, Reg token, Reg head) {
        Reg at = b.mad(b.mad(row, in.tokens(), token), spec.heads(), head);
        return split ? b.mad(at, parts, part()) : at;
    }

    /** Writes a part's largest score and total; nothing where there are no parts. */
    void mark(Reg row, Reg token, Reg head, Reg top, Reg total) {
        if (split) {
            Reg at = b.advance(marks, index(row, token, head), 8);
            b.store(MemoryType.F32, at, b.u32(0), top, total);
        }
    }

    /** What sums are multiplied with before {@link #store}. */
    Reg share(Reg top, Reg total, Reg head) {
        return split ? b.f32(1) : in.share(top, total, head);
    }

    /** Writes sums from a feature (U32) on: 4, 2 or 1 on a multiple of as many. */
    void store(Reg row, Reg token, Reg head, Reg feature, List<Reg> sums, Reg share) {
        Reg at = b.advance(result, index(row, token, head), 4L * spec.valueWidth());
        b.store(MemoryType.F32, at, feature, split ? sums : sums.stream().map(x -> b.mul(x, share)).toList());
    }
}
