package poot.backend.cuda.ptx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Place;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/** Loads, stores, atomics and copies; where shared arrays lie. */
final class MemoryAccess {
    /** Shared memory that a module may declare itself, in bytes; more has to be asked for when launching. */
    static final int DECLARED = 48 * 1024;
    static final String SHARED = "shared";
    /** Displacements in an address are signed and 32 bits. */
    private static final long FARTHEST = Integer.MAX_VALUE;

    private final PtxText out;
    private final PtxTarget target;
    private final KernelFacts facts;
    private final Conversions conversions;
    private final Map<SharedArray, Integer> offsets = new HashMap<>();

    MemoryAccess(PtxText out, PtxTarget target, KernelFacts facts, Conversions conversions, DeviceKernel kernel) {
        this.out = out;
        this.target = target;
        this.facts = facts;
        this.conversions = conversions;
        int at = 0;
        for (SharedArray a : kernel.shared()) {
            offsets.put(a, at);
            at += a.bytes();
        }
    }

    /** The declaration of shared memory; nothing where there is none. */
    static String declaration(DeviceKernel kernel) {
        int bytes = kernel.sharedBytes();
        return bytes == 0 ? "" : bytes <= DECLARED
                ? ".shared .align 16 .b8 " + SHARED + "[" + bytes + "];\n"
                : ".extern .shared .align 16 .b8 " + SHARED + "[];\n";
    }

    /** The state space and address of a place: {@code .global} or {@code .shared}, {@code [register+displacement]}. */
    record Address(String space, String register, long displacement) {
        String text() {
            return "[" + register + (displacement == 0 ? "" : "+" + displacement) + "]";
        }

        /** The address so many bytes on. */
        Address plus(long bytes) {
            return new Address(space, register, displacement + bytes);
        }

        boolean isShared() {
            return space.equals(".shared");
        }
    }

    /** Where an element lies. */
    Address address(Place place) {
        Integer known = out.registers().literal(place.index());
        int bytes = place.type().bytes();
        return switch (place) {
            case Place.Global g -> {
                String base = out.operand(g.buffer());
                if (known != null && Integer.toUnsignedLong(known) * bytes <= FARTHEST / 2) {
                    yield new Address(".global", base, Integer.toUnsignedLong(known) * bytes);
                }
                String at = out.registers().fresh(PtxRegisters.Kind.ADDRESS);
                out.line("mad.wide.u32", at, out.operand(g.index()), Integer.toString(bytes), base);
                yield new Address(".global", at, 0);
            }
            case Place.Shared s -> {
                int offset = offsets.get(s.array());
                if (known != null) {
                    yield new Address(".shared", SHARED, offset + Integer.toUnsignedLong(known) * bytes);
                }
                String base = out.registers().fresh(PtxRegisters.Kind.WORD);
                String at = out.registers().fresh(PtxRegisters.Kind.WORD);
                out.line("mov.u32", base, SHARED);
                out.line("mad.lo.u32", at, out.operand(s.index()), Integer.toString(bytes), base);
                yield new Address(".shared", at, offset);
            }
        };
    }

    void load(Instruction.Load l) {
        Address from = address(l.place());
        List<Reg> results = l.results();
        MemoryType type = l.place().type();
        boolean constant = l.place() instanceof Place.Global g && facts.isReadOnly(g.buffer());
        String op = "ld" + from.space() + (constant ? ".nc" : "");
        if (type == MemoryType.BF16 && results.size() > 1) {
            brains(op, results, from);
            return;
        }
        op += vector(results.size()) + spelling(type);
        List<String> raw = new ArrayList<>();
        for (Reg r : results) {
            raw.add(switch (type) {
                case F16 -> out.registers().fresh(PtxRegisters.Kind.HALF);
                case BF16 -> out.registers().fresh(PtxRegisters.Kind.WORD);
                default -> out.registers().define(r);
            });
        }
        out.line(op, braces(raw), from.text());
        for (int i = 0; i < results.size(); i++) {
            switch (type) {
                case F16 -> conversions.widenHalf(out.registers().define(results.get(i)), raw.get(i));
                case BF16 -> conversions.widenBrain(out.registers().define(results.get(i)), raw.get(i));
                default -> { }
            }
        }
    }

    /** Two bfloat16 a word: the upper one needs no more than the lower one cleared. */
    private void brains(String op, List<Reg> results, Address from) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < results.size(); i += 2) {
            words.add(out.registers().fresh(PtxRegisters.Kind.WORD));
        }
        out.line(op + vector(words.size()) + ".b32", braces(words), from.text());
        for (int i = 0; i < results.size(); i++) {
            if (i % 2 == 0) {
                conversions.widenBrain(out.registers().define(results.get(i)), words.get(i / 2));
                continue;
            }
            String upper = out.registers().fresh(PtxRegisters.Kind.WORD);
            out.line("and.b32", upper, words.get(i / 2), "0xffff0000");
            out.line("mov.b32", out.registers().define(results.get(i)), upper);
        }
    }

    void store(Instruction.Store s) {
        Address to = address(s.place());
        MemoryType type = s.place().type();
        List<String> raw = new ArrayList<>();
        for (Reg r : s.values()) {
            String value = out.register(r);
            raw.add(switch (type) {
                case F16 -> conversions.half(value);
                case BF16 -> {
                    String word = out.registers().fresh(PtxRegisters.Kind.WORD);
                    conversions.brain(word, value);
                    yield word;
                }
                default -> value;
            });
        }
        out.line("st" + to.space() + vector(raw.size()) + spelling(type), to.text(), braces(raw));
    }

    void atomic(Instruction.Atomic a) {
        Address at = address(a.place());
        String value = out.operand(a.value());
        out.line("atom" + at.space() + switch (a.op()) {
            case ADD -> ".add.u32";
            case MAX -> ".max.u32";
            case OR -> ".or.b32";
        }, out.registers().define(a.result()), at.text(), value);
    }

    /** A copy beside arithmetic where there is such a thing, else a load and a store. */
    void copyAsync(Instruction.CopyAsync c) {
        Address to = address(c.to());
        Address from = address(c.from());
        if (target.hasAmpere()) {
            // Sixteen bytes need not pass the first cache.
            out.line((c.bytes() == 16 ? "cp.async.cg" : "cp.async.ca") + ".shared.global", to.text(), from.text(), Integer.toString(c.bytes()));
            return;
        }
        List<String> words = new ArrayList<>();
        for (int i = 0; i < c.bytes(); i += Integer.BYTES) {
            words.add(out.registers().fresh(PtxRegisters.Kind.WORD));
        }
        out.line("ld.global" + vector(words.size()) + ".b32", braces(words), from.text());
        out.line("st.shared" + vector(words.size()) + ".b32", to.text(), braces(words));
    }

    void commitCopies() {
        if (target.hasAmpere()) {
            out.line("cp.async.commit_group");
        }
    }

    void awaitCopies(Instruction.AwaitCopies a) {
        if (target.hasAmpere()) {
            out.line("cp.async.wait_group", Integer.toString(a.pending()));
        }
    }

    static String vector(int lanes) {
        return lanes == 1 ? "" : ".v" + lanes;
    }

    static String braces(List<String> names) {
        return names.size() == 1 ? names.getFirst() : "{" + String.join(", ", names) + "}";
    }

    private static String spelling(MemoryType type) {
        return switch (type) {
            case U8 -> ".u8";
            case I8 -> ".s8";
            case U16, BF16 -> ".u16";
            case I16 -> ".s16";
            case U32 -> ".u32";
            case I32 -> ".s32";
            case F16 -> ".b16";
            case F32 -> ".f32";
        };
    }
}
