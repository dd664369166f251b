package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPBROADCASTD;
import static poot.backend.cpu.x86.Instruction.VPBROADCASTQ;
import static poot.backend.cpu.x86.Instruction.VPMOVZXWD;
import static poot.backend.cpu.x86.Instruction.VPOR;
import static poot.backend.cpu.x86.Instruction.VPSHUFB;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VPSLLVD;
import static poot.backend.cpu.x86.Instruction.VPSRLVD;
import static poot.backend.cpu.x86.Instruction.VPSUBD;

import java.util.List;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * What {@link Regrouping#write} does for one step of some whole groups of rows; where inputs are in the order in which they are
 * stored it asks for lines that are wanted later. Lines of a row may lie so that the first cache keeps no more than eight of
 * them: of these all is taken for all groups.
 *
 * <p>Arguments: bytes from a line of codes to the next, the first group's codes in the step's first line, where they go, scales,
 * zero points, bytes to the codes that are wanted later, groups, bytes from where a group goes to the next. With an order the
 * code has a table of where its inputs stand: the first argument is the bytes of it before the step's, and the second the codes in
 * the first line of all.
 *
 * @param eightDown as of {@link Regrouping}; so are the others
 * @param order     likewise; where there is one, words hold eight inputs of a row
 * @param lineBytes bytes from a line of codes to the next, where there is an order; else 0
 */
public record MadeStep(boolean eightDown, int groups, ElementType scale, int more, Optional<InputOrder> order, long lineBytes) {
    /** Bytes of an input in the table: those from the first line to its own, then its bits in a word. */
    static final int PLACE_BYTES = 16;

    private static final Register STRIDE = Register.RDI;
    private static final Register PLACES = STRIDE;
    private static final Register FROM = Register.RSI;
    private static final Register TO = Register.RDX;
    private static final Register SCALES = Register.RCX;
    private static final Register ZEROS = Register.R8;
    private static final Register AHEAD = Register.R9;
    private static final Register GROUPS = Register.R10;
    private static final Register GROUP_BYTES = Register.R11;
    private static final Register WORDS = Register.RAX;
    private static final Register AT = Register.RBX;
    private static final Register LINE = Register.RBP;
    private static final Register TARGET = Register.R12;
    private static final Register LEFT = Register.R13;
    private static final List<Register> SAVED = List.of(AT, LINE, TARGET, LEFT);

    /** Bytes of a line of codes that are asked for where it is shared by eight rows a word: those of 512 rows. */
    private static final int PIECE = 256;
    private static final int LINE_BYTES = 64;

    private static final int WORD = 0;
    private static final int OTHER = 1;
    private static final int FREE = 2;
    /** Holds what leaves the lowest nibble of every lane. */
    private static final int NIBBLE = 3;
    private static final int EIGHT = ZeroPointRows.WORD;

    /** The code. */
    public byte[] code(Simd simd) {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        to.mov(GROUPS, At.of(Register.RSP, 8));
        to.mov(GROUP_BYTES, At.of(Register.RSP, 16));
        SAVED.forEach(to::push);
        Label places = to.label();
        if (order.isPresent()) {
            to.lea(AT, At.of(places));
            to.add(PLACES, AT);
        }
        code.hold(15, NIBBLE);
        each(code, () -> head(code));
        to.add(TO, (scale == ElementType.F32 ? 2 : 1) * simd.width());
        to.mov(WORDS, groups * ZeroPointRows.GROUP / EIGHT);
        Label word = to.here();
        to.mov(AT, FROM);
        each(code, () -> word(code));
        onward(to);
        to.add(TO, simd.width());
        to.dec(WORDS);
        to.jnz(word);
        SAVED.reversed().forEach(to::pop);
        to.vzeroupper();
        to.ret();
        order.ifPresent(o -> places(to, places, o));
        return code.finish();
    }

    private void places(Assembler to, Label table, InputOrder inputs) {
        to.align(PLACE_BYTES);
        to.bind(table);
        for (int i = 0; i < inputs.count(); i++) {
            int of = inputs.at(i);
            long line = of / EIGHT * lineBytes;
            to.data((int) line);
            to.data((int) (line >>> 32));
            to.data(4 * (of % EIGHT));
            to.data(0);
        }
    }

    /** Goes on to the inputs of the next word. */
    private void onward(Assembler to) {
        if (order.isPresent()) {
            to.add(PLACES, EIGHT * PLACE_BYTES);
            return;
        }
        for (int i = 0; i < (eightDown ? 1 : EIGHT); i++) {
            for (int at = 0; at < PIECE && !eightDown; at += LINE_BYTES) {
                to.prefetch(At.of(FROM, AHEAD, 1, at));
            }
            to.add(FROM, STRIDE);
        }
    }

    /** For each group in turn, at TARGET. */
    private static void each(Simd.Code code, Runnable write) {
        Assembler to = code.to();
        to.mov(TARGET, TO);
        to.mov(LEFT, GROUPS);
        Label group = to.here();
        write.run();
        to.add(TARGET, GROUP_BYTES);
        to.dec(LEFT);
        to.jnz(group);
    }

    private void head(Simd.Code code) {
        Assembler to = code.to();
        int width = code.simd().width();
        words(code, OTHER, At.of(ZEROS, 0));
        nibbles(code, OTHER, 0);
        code.constant(VPAND, OTHER, OTHER, 15);
        code.constant(WORD, ZeroPointRows.OFFSET - more);
        code.op(VPSUBD, OTHER, WORD, OTHER);
        if (scale == ElementType.F32) {
            to.op(VMOVUPS, width, WORD, Assembler.NONE, At.of(SCALES, 0));
            to.op(VMOVUPS_STORE, width, OTHER, Assembler.NONE, At.of(TARGET, width));
        } else {
            to.op(VPMOVZXWD, width, WORD, Assembler.NONE, At.of(SCALES, 0));
            to.shift(VPSLLD, width, 6, OTHER, OTHER, 16);
            code.op(VPOR, WORD, WORD, OTHER);
        }
        to.op(VMOVUPS_STORE, width, WORD, Assembler.NONE, At.of(TARGET, 0));
        to.add(SCALES, code.simd().lanes() * scale.bytes());
        to.add(ZEROS, code.simd().lanes() / 2);
    }

    private void word(Simd.Code code) {
        Assembler to = code.to();
        int width = code.simd().width();
        if (order.isPresent()) {
            inOrder(code);
            to.add(AT, width);
        } else if (eightDown) {
            to.prefetch(At.of(AT, AHEAD, 1, 0));
            to.op(VMOVUPS, width, WORD, Assembler.NONE, At.of(AT, 0));
            to.add(AT, width);
        } else {
            across(code);
            to.add(AT, code.simd().lanes() / 2);
        }
        to.op(VMOVUPS_STORE, width, WORD, Assembler.NONE, At.of(TARGET, 0));
    }

    /** to = the words at {@code at} that hold a nibble for every lane: one, or two in turns. */
    private static void words(Simd.Code code, int to, At at) {
        code.to().op(code.simd().wide() ? VPBROADCASTQ : VPBROADCASTD, code.simd().width(), to, Assembler.NONE, at);
    }

    /** to = every lane's nibble of the words in {@code to}, as nibble {@code place} of the lane, beside another. */
    private void nibbles(Simd.Code code, int to, int place) {
        int lanes = code.simd().lanes();
        int[] bytes = new int[lanes];
        int[] shifts = new int[lanes];
        for (int lane = 0; lane < lanes; lane++) {
            int nibble = eightDown ? lane % EIGHT : Regrouping.acrossNibble(lane % EIGHT);
            bytes[lane] = 0x80808080 & ~(0xFF << place / 2 * 8) | lane / EIGHT * 4 + nibble / 2 << place / 2 * 8;
            shifts[lane] = nibble % 2 == place % 2 ? 0 : 4;
        }
        code.vector(VPSHUFB, to, to, bytes);
        code.vector(place % 2 == 0 ? VPSRLVD : VPSLLVD, to, to, shifts);
    }

    /** Of eight inputs, each in a line and a nibble of its own, the nibbles of every lane. */
    private static void inOrder(Simd.Code code) {
        Assembler to = code.to();
        int width = code.simd().width();
        for (int i = EIGHT - 1; i >= 0; i--) {
            int nibbles = i == EIGHT - 1 ? WORD : OTHER;
            to.mov(LINE, At.of(PLACES, i * PLACE_BYTES));
            to.op(VMOVUPS, width, nibbles, Assembler.NONE, At.of(AT, LINE, 1, 0));
            code.each(VPSRLVD, nibbles, nibbles, At.of(PLACES, i * PLACE_BYTES + 8), FREE);
            code.constant(VPAND, nibbles, nibbles, 15);
            if (nibbles == OTHER) {
                to.shift(VPSLLD, width, 6, WORD, WORD, 4);
                code.op(VPOR, WORD, WORD, OTHER);
            }
        }
    }

    /** Of eight lines the nibbles of every lane. */
    private void across(Simd.Code code) {
        Assembler to = code.to();
        to.mov(LINE, AT);
        for (int i = 0; i < EIGHT; i++) {
            int nibbles = i == 0 ? WORD : OTHER;
            words(code, nibbles, At.of(LINE, 0));
            to.add(LINE, STRIDE);
            nibbles(code, nibbles, i);
            code.constant(VPAND, nibbles, nibbles, 15 << 4 * i);
            if (i > 0) {
                code.op(VPOR, WORD, WORD, OTHER);
            }
        }
    }
}
