package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VINSERTI128;
import static poot.backend.cpu.x86.Instruction.VINSERTI64X4;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VPUNPCKHDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKHQDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKLDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKLQDQ;
import static poot.backend.cpu.x86.Instruction.VSHUFI32X4;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Simd;

/**
 * Sixteen bytes or more of every row: read row by row and exchanged between lanes, four bytes of a row in each lane of four
 * registers. Of interleaved rows there is nothing to exchange.
 */
final class Quads {
    /**
     * Bytes ahead in its own row that a line is asked for in the first cache, from the second: as many rows are more than
     * the processor follows by itself, and misses of the first cache wait behind what is on its way from memory.
     */
    private static final int NEAR = 384;

    private final Simd.Code code;
    private final int lanes;
    private final RowPointers rows;
    private final Reads reads;
    private final Ahead ahead;
    /** Four registers that are filled. */
    private final int quads;
    /** Four more that are overwritten. */
    private final int spare;
    /** Four, two of a group's scales and minimums among them, that wide vectors overwrite. */
    private final int scales;

    Quads(Rows rows, RowPointers pointers, Ahead ahead) {
        this.code = rows.code();
        this.lanes = code.simd().lanes();
        this.rows = pointers;
        this.reads = rows.reads();
        this.ahead = ahead;
        this.quads = rows.quads;
        this.spare = code.simd().wide() ? 20 : 10;
        this.scales = rows.scales;
    }

    /** Registers {@link Rows#quads} to +3: bytes {@code at} to at + 15 of the rows, four bytes in each. */
    void all(int at) {
        sixteens(at, 1);
        exchange(0, 1);
    }

    /**
     * Reads 64 bytes of every row, a row at a time where there are registers for it: rows may lie so that the first cache
     * does not keep a line of all of them. Each sixteen bytes are then given to {@code piece}, which calls
     * {@link Rows#quads(int, int)} for the first register of what it wants.
     */
    void line(Rows.Piece piece) {
        int together = code.simd().wide() ? 4 : 1;
        for (int i = 0; i < 4; i += together) {
            sixteens(16 * i, together);
            for (int j = 0; j < together; j++) {
                piece.take(i + j, j, together);
            }
        }
    }

    private int first(int index, int count) {
        return quads - 4 * (count - 1 - index);
    }

    /** Four bytes of a row in each lane of four registers; returns the first. */
    int exchange(int index, int count) {
        int q = first(index, count);
        transpose(q, spare);
        return q;
    }

    /** Of every 128 bits of four registers from {@code q} on, dword i goes to register i; four from {@code free} on are lost. */
    private void transpose(int q, int free) {
        if (rows.interleaved()) {
            return;
        }
        code.op(VPUNPCKLDQ, free, q, q + 1);
        code.op(VPUNPCKHDQ, free + 1, q, q + 1);
        code.op(VPUNPCKLDQ, free + 2, q + 2, q + 3);
        code.op(VPUNPCKHDQ, free + 3, q + 2, q + 3);
        code.op(VPUNPCKLQDQ, q, free, free + 2);
        code.op(VPUNPCKHQDQ, q + 1, free, free + 2);
        code.op(VPUNPCKLQDQ, q + 2, free + 1, free + 3);
        code.op(VPUNPCKHQDQ, q + 3, free + 1, free + 3);
    }

    /**
     * Bytes {@code at} to at + 31 of the rows as {@link #all} gives them, sixteen at a time; scales, minimums and free are lost.
     * Where there are registers for it half as many reads do, and fewer exchanges.
     */
    void pieces(int at, Rows.Half half) {
        for (int i = 0; i < lanes && !rows.interleaved(); i++) {
            code.to().prefetchNear(rows.row(i, at + NEAR));
        }
        if (!code.simd().wide()) {
            for (int i = 0; i < 2; i++) {
                all(at + 16 * i);
                half.take(i, quads);
            }
            return;
        }
        if (rows.interleaved()) {
            dwords(at, quads, 8);
            half.take(0, quads);
            half.take(1, quads + 4);
            return;
        }
        ahead.ask(32 * lanes);
        reads.note(at, 4, 8);
        for (int i = 0; i < 8; i++) {
            int row = i / 4 * 8 + i % 4;
            code.to().op(VMOVUPS, 32, quads + i, Assembler.NONE, rows.row(row, at));
            code.to().op(VINSERTI64X4, 64, quads + i, quads + i, rows.row(row + 4, at), 1);
        }
        transpose(quads, scales);
        transpose(quads + 4, scales);
        for (int i = 0; i < 4; i++) {
            code.op(VMOVUPS, scales + i, Assembler.NONE, quads + i);
            code.to().op(VSHUFI32X4, 64, quads + i, scales + i, quads + 4 + i, 0x88);
            code.to().op(VSHUFI32X4, 64, quads + 4 + i, scales + i, quads + 4 + i, 0xDD);
        }
        half.take(0, quads);
        half.take(1, quads + 4);
    }

    /** {@code count} registers from {@code to} on: the dwords from {@code at} on of interleaved rows. */
    void dwords(int at, int to, int count) {
        ahead.ask(4 * lanes * count);
        for (int i = 0; i < count; i++) {
            code.to().op(VMOVUPS, code.simd().width(), to + i, Assembler.NONE, rows.together(at + 4 * i));
        }
    }

    /** In each 128 bits of a register sixteen bytes of a row: of rows i, 4 + i, 8 + i, 12 + i. */
    private void sixteens(int at, int pieces) {
        if (rows.interleaved()) {
            for (int piece = 0; piece < pieces; piece++) {
                dwords(at + 16 * piece, first(piece, pieces), 4);
            }
            return;
        }
        ahead.ask(16 * lanes * pieces);
        reads.note(at, 4, 4 * pieces);
        for (int i = 0; i < 4; i++) {
            for (int part = 0; part < lanes / 4; part++) {
                for (int piece = 0; piece < pieces; piece++) {
                    int to = first(piece, pieces) + i;
                    At from = rows.row(4 * part + i, at + 16 * piece);
                    if (part == 0) {
                        code.to().op(VMOVUPS, 16, to, Assembler.NONE, from);
                    } else {
                        code.to().op(VINSERTI128, code.simd().width(), to, to, from, part);
                    }
                }
            }
        }
    }
}
