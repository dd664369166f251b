package poot.backend.cpu.x86;

import java.util.Arrays;

/**
 * Lays down x86-64 machine code. General instructions are 64 bits wide. Vector registers are numbers, 0 to 31, with the
 * width in bytes given to every instruction; code for 16 and 32 bytes that names only the first sixteen registers, no
 * mask and no broadcast needs no AVX-512.
 */
public final class Assembler {
    /** No vector register: the operand an instruction does not have. */
    public static final int NONE = 0;

    private byte[] code = new byte[2048];
    private int size;

    // ---- places ----

    /** A place to be bound later. */
    public Label label() {
        return new Label();
    }

    /** This place. */
    public Label here() {
        Label l = new Label();
        bind(l);
        return l;
    }

    /** Says that a label stands here. */
    public void bind(Label l) {
        l.position = size;
        for (int use : l.uses) {
            word(use, l.position - (use + 4));
        }
        l.uses.clear();
    }

    /** Fills up to a multiple of {@code bytes}, with bytes that are never run. */
    public void align(int bytes) {
        while (size % bytes != 0) {
            put(0xCC);
        }
    }

    /** A data word. */
    public void data(int word) {
        put32(word);
    }

    /** The code; every label must be bound. */
    public byte[] bytes() {
        return Arrays.copyOf(code, size);
    }

    // ---- general registers ----

    /** to = from. */
    public void mov(Register to, Register from) {
        plain(0x8B, to.ordinal(), from);
    }

    /** to = value. */
    public void mov(Register to, int value) {
        rex(0, 0, to.ordinal());
        put(0xC7);
        put(0xC0 | to.ordinal() & 7);
        put32(value);
    }

    /** to = the 64 bits at {@code from}. */
    public void mov(Register to, At from) {
        plain(0x8B, to.ordinal(), from);
    }

    /** The 64 bits at {@code to} = from. */
    public void store(At to, Register from) {
        plain(0x89, from.ordinal(), to);
    }

    /** to = address. */
    public void lea(Register to, At address) {
        plain(0x8D, to.ordinal(), address);
    }

    /** to += from. */
    public void add(Register to, Register from) {
        plain(0x03, to.ordinal(), from);
    }

    /** to += the 64 bits at {@code from}. */
    public void add(Register to, At from) {
        plain(0x03, to.ordinal(), from);
    }

    /** to += value. */
    public void add(Register to, int value) {
        immediate(0, to, value);
    }

    /** to -= from. */
    public void sub(Register to, Register from) {
        plain(0x2B, to.ordinal(), from);
    }

    /** to -= value, with flags. */
    public void sub(Register to, int value) {
        immediate(5, to, value);
    }

    /** to &= value. */
    public void and(Register to, int value) {
        immediate(4, to, value);
    }

    /** Flags of a - b. */
    public void cmp(Register a, int b) {
        immediate(7, a, b);
    }

    /** to -= 1, with flags. */
    public void dec(Register to) {
        rex(0, 0, to.ordinal());
        put(0xFF);
        put(0xC8 | to.ordinal() & 7);
    }

    /** Saves a register. */
    public void push(Register r) {
        rex(0, 0, r.ordinal());
        put(0x50 | r.ordinal() & 7);
    }

    /** Takes a register back. */
    public void pop(Register r) {
        rex(0, 0, r.ordinal());
        put(0x58 | r.ordinal() & 7);
    }

    /** Returns. */
    public void ret() {
        put(0xC3);
    }

    /** Goes on at {@code to} if the last result was not zero. */
    public void jnz(Label to) {
        put(0x0F);
        put(0x85);
        reference(to);
    }

    /** Goes on at {@code to}. */
    public void jmp(Label to) {
        put(0xE9);
        reference(to);
    }

    /** Goes on at {@code to} if the last result was zero. */
    public void jz(Label to) {
        put(0x0F);
        put(0x84);
        reference(to);
    }

    /** Asks for a line, in the second cache. */
    public void prefetch(At at) {
        prefetch(2, at);
    }

    /** Asks for a line, in the first cache. */
    public void prefetchNear(At at) {
        prefetch(1, at);
    }

    private void prefetch(int kind, At at) {
        rexOptional(at);
        put(0x0F);
        put(0x18);
        memory(kind, at, 0);
    }

    /** The processor's answer to question eax, ecx: eax, ebx, ecx, edx. */
    public void cpuid() {
        put(0x0F);
        put(0xA2);
    }

    /** Extended control register ecx, as edx:eax. */
    public void xgetbv() {
        put(0x0F);
        put(0x01);
        put(0xD0);
    }

    // ---- vectors ----

    /** The upper halves cleared: no penalty for what follows. */
    public void vzeroupper() {
        put(0xC5);
        put(0xF8);
        put(0x77);
    }

    /** Lanes of mask {@code k} from a general register. */
    public void kmovw(int k, Register from) {
        put(0xC4);
        put((~from.ordinal() >> 3 & 1) << 5 | 0xC1);
        put(0x78);
        put(0x92);
        put(0xC0 | k << 3 | from.ordinal() & 7);
    }

    /** to = a op b. */
    public void op(Instruction i, int width, int to, int a, int b) {
        if (width > 32 || to > 15 || a > 15 || b > 15) {
            evex(i, width, to, a, b >> 4 & 1, b >> 3 & 1, 0, false);
        } else {
            vex(i, width, to, a, 0, b >> 3 & 1);
        }
        put(0xC0 | (to & 7) << 3 | b & 7);
    }

    /** to = a op [at], or the store of {@code to}. */
    public void op(Instruction i, int width, int to, int a, At at) {
        op(i, width, to, a, at, 0, false);
    }

    /** to = a op the dword at {@code at} in every lane. */
    public void broadcast(Instruction i, int width, int to, int a, At at) {
        op(i, width, to, a, at, 0, true);
    }

    /** Where mask {@code k} is set: the store of {@code from}, or the load; other lanes stay. */
    public void masked(Instruction i, int width, int from, At at, int k) {
        op(i, width, from, NONE, at, k, false);
    }

    private void op(Instruction i, int width, int to, int a, At at, int k, boolean broadcast) {
        int x = high(index(at));
        int b = high(base(at));
        if (width > 32 || to > 15 || a > 15 || k > 0 || broadcast) {
            evex(i, width, to, a, x, b, k, broadcast);
            memory(to, at, i.unit(width, broadcast));
        } else {
            vex(i, width, to, a, x, b);
            memory(to, at, 1);
        }
    }

    /** to = a op b, with a constant. */
    public void op(Instruction i, int width, int to, int a, int b, int constant) {
        op(i, width, to, a, b);
        put(constant);
    }

    /** to = a op [at], with a constant. */
    public void op(Instruction i, int width, int to, int a, At at, int constant) {
        if (at instanceof At.Inline) {
            throw new IllegalArgumentException("a constant after an address in the code");
        }
        op(i, width, to, a, at);
        put(constant);
    }

    /** to = from shifted by a constant: {@code kind} is 2 (right), 4 (right, signed) or 6 (left). */
    public void shift(Instruction i, int width, int kind, int to, int from, int by) {
        op(i, width, kind, to, from);
        put(by);
    }

    private void vex(Instruction i, int width, int reg, int second, int x, int b) {
        put(0xC4);
        put((~reg >> 3 & 1) << 7 | (~x & 1) << 6 | (~b & 1) << 5 | i.map);
        int w = isVexWide(i) ? 1 : 0;
        put(w << 7 | (~second & 15) << 3 | (width == 32 ? 4 : 0) | i.prefix);
        put(i.opcode);
    }

    /** Instructions whose W bit matters in their VEX form. */
    private static boolean isVexWide(Instruction i) {
        return i == Instruction.VPERMQ_IMM;
    }

    private void evex(Instruction i, int width, int reg, int second, int x, int b, int k, boolean broadcast) {
        put(0x62);
        put((~reg >> 3 & 1) << 7 | (~x & 1) << 6 | (~b & 1) << 5 | (~reg >> 4 & 1) << 4 | i.map);
        put(i.wide << 7 | (~second & 15) << 3 | 4 | i.prefix);
        int length = width == 64 ? 2 : width == 32 ? 1 : 0;
        put(length << 5 | (broadcast ? 16 : 0) | (~second >> 4 & 1) << 3 | k);
        put(i.opcode);
    }

    // ---- encoding ----

    private void plain(int opcode, int reg, Register rm) {
        rex(reg, 0, rm.ordinal());
        put(opcode);
        put(0xC0 | (reg & 7) << 3 | rm.ordinal() & 7);
    }

    private void plain(int opcode, int reg, At at) {
        rex(reg, index(at), base(at));
        put(opcode);
        memory(reg, at, 1);
    }

    private void immediate(int kind, Register to, int value) {
        rex(0, 0, to.ordinal());
        put(0x81);
        put(0xC0 | kind << 3 | to.ordinal() & 7);
        put32(value);
    }

    private void rex(int reg, int x, int b) {
        put(0x48 | high(reg) << 2 | high(x) << 1 | high(b));
    }

    private void rexOptional(At at) {
        put(0x40 | high(index(at)) << 1 | high(base(at)));
    }

    private static int high(int register) {
        return register >> 3 & 1;
    }

    private static int base(At at) {
        return at instanceof At.Based b ? b.base().ordinal() : 0;
    }

    private static int index(At at) {
        return at instanceof At.Based b && b.index() != null ? b.index().ordinal() : 0;
    }

    /** The operand bytes; {@code unit} is what an eight-bit displacement counts. */
    private void memory(int reg, At at, int unit) {
        switch (at) {
            case At.Inline inline -> {
                put((reg & 7) << 3 | 5);
                reference(inline.label());
            }
            case At.Based b -> based(reg, b, Math.max(1, unit));
        }
    }

    private void based(int reg, At.Based at, int unit) {
        int base = at.base().ordinal() & 7;
        int d = at.displacement();
        boolean near = d % unit == 0 && d / unit >= -128 && d / unit <= 127;
        int mode = d == 0 && base != 5 ? 0 : near ? 1 : 2;
        boolean sib = at.index() != null || base == 4;
        put(mode << 6 | (reg & 7) << 3 | (sib ? 4 : base));
        if (sib) {
            int index = at.index() == null ? 4 : at.index().ordinal() & 7;
            put(Integer.numberOfTrailingZeros(at.scale()) << 6 | index << 3 | base);
        }
        if (mode == 1) {
            put(d / unit);
        } else if (mode == 2) {
            put32(d);
        }
    }

    private void reference(Label to) {
        if (to.position >= 0) {
            put32(to.position - (size + 4));
        } else {
            to.uses.add(size);
            put32(0);
        }
    }

    private void put(int b) {
        if (size == code.length) {
            code = Arrays.copyOf(code, 2 * size);
        }
        code[size++] = (byte) b;
    }

    private void put32(int word) {
        for (int i = 0; i < 32; i += 8) {
            put(word >>> i);
        }
    }

    private void word(int at, int value) {
        for (int i = 0; i < 4; i++) {
            code[at + i] = (byte) (value >>> 8 * i);
        }
    }
}
