package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VCVTPH2PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VPMOVZXWD;
import static poot.backend.cpu.x86.Instruction.VPSLLD;

import java.util.List;
import java.util.Optional;
import poot.api.graph.Encoding;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Simd;

/** Weights without blocks, as emitted code reads them: consecutive elements of one row become the lanes of a vector. */
public enum DenseFormat {
    F32(4, 1),
    F16(2, 2),
    BF16(2, 2);

    /** Rows that are interleaved: as many as are multiplied together. */
    public static final int ROWS = 4;

    /** Elements of a group: those that one vector of sixteen lanes takes, or two of eight. */
    public static final int GROUP = 16;

    private final int bytes;
    private final Layout layout;

    DenseFormat(int bytes, int groups) {
        this.bytes = bytes;
        this.layout = Layout.floats(GROUP, groups);
    }

    /** The dense format of an encoding, if it is one. */
    public static Optional<DenseFormat> of(Encoding encoding) {
        return Optional.ofNullable(switch (encoding) {
            case F32 -> F32;
            case F16 -> F16;
            case BF16 -> BF16;
            default -> null;
        });
    }

    /** How activations are staged for it; a step is a cache line of a weight row. */
    public Layout layout() {
        return layout;
    }

    /** The order of interleaved rows: a cache line of each in turn. */
    public Interleaving interleaving() {
        return new Interleaving(ROWS, stepBytes(), List.of(new Interleaving.Number(0, stepBytes(), 1, 0)));
    }

    /** Bytes of an element. */
    public int bytes() {
        return bytes;
    }

    /** Bytes of a step of a row: a cache line. */
    public int stepBytes() {
        return layout.step() * bytes;
    }

    /** to = as many elements as a vector has lanes, from {@code at} on, as F32. */
    public void load(Simd.Code code, int to, At at) {
        Assembler a = code.to();
        int width = code.simd().width();
        switch (this) {
            case F32 -> a.op(VMOVUPS, width, to, Assembler.NONE, at);
            case F16 -> a.op(VCVTPH2PS, width, to, Assembler.NONE, at);
            case BF16 -> {
                a.op(VPMOVZXWD, width, to, Assembler.NONE, at);
                a.shift(VPSLLD, width, 6, to, to, 16);
            }
        }
    }
}
