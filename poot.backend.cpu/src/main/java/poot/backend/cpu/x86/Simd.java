package poot.backend.cpu.x86;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Vectors of one width and the operations whose form depends on it. A lane is 32 bits.
 *
 * @param width bytes: 32 (AVX2 with F16C and FMA, sixteen registers) or 64 (AVX-512 F, BW, VL and DQ, thirty-two)
 * @param vnni  whether one instruction multiplies 16-bit pairs and adds
 */
public record Simd(int width, boolean vnni) {
    /** AVX2. */
    public static final Simd AVX2 = new Simd(32, false);
    /** AVX-512 without VNNI. */
    public static final Simd AVX512 = new Simd(64, false);
    /** AVX-512 with VNNI. */
    public static final Simd AVX512_VNNI = new Simd(64, true);

    public Simd {
        if (width != 32 && width != 64 || width == 32 && vnni) {
            throw new IllegalArgumentException("vectors of " + width + " bytes");
        }
    }

    /** Lanes of a vector. */
    public int lanes() {
        return width / 4;
    }

    /** Vector registers. */
    public int registers() {
        return wide() ? 32 : 16;
    }

    /** Whether operands may be masked and broadcast from memory. */
    public boolean wide() {
        return width == 64;
    }

    /** The name of the instruction sets. */
    public String title() {
        return wide() ? vnni ? "AVX-512 VNNI" : "AVX-512" : "AVX2";
    }

    /** Code being written for this width, with the constants it reads. */
    public static final class Code {
        /** What a bit becomes by those of three operands: the second's where the third's is set, else the first's. */
        private static final int SECOND_WHERE_THIRD = 0xD8;

        private final Simd simd;
        private final Assembler to = new Assembler();
        private final Map<Integer, Label> words = new HashMap<>();
        private final Map<String, Label> tables = new HashMap<>();
        private final Map<String, byte[]> tableBytes = new HashMap<>();
        private final Map<List<Integer>, Label> vectors = new HashMap<>();
        private final Map<Integer, Integer> uses = new HashMap<>();
        private final Map<Integer, Integer> held = new HashMap<>();

        public Code(Simd simd) {
            this.simd = simd;
        }

        /** The vectors. */
        public Simd simd() {
            return simd;
        }

        /** The plain assembler. */
        public Assembler to() {
            return to;
        }

        /** to = a op b, in whole vectors. */
        public void op(Instruction i, int to, int a, int b) {
            this.to.op(i, simd.width, to, a, b);
        }

        /** How often each constant is read by what has been written. */
        public Map<Integer, Integer> uses() {
            return Collections.unmodifiableMap(uses);
        }

        /** From here on {@code register} holds a constant, and nothing else may be left in it. */
        public void hold(int value, int register) {
            constant(register, value);
            held.put(value, register);
        }

        /** to = a op a constant in every lane. */
        public void constant(Instruction i, int to, int a, int value) {
            uses.merge(value, 1, Integer::sum);
            if (held.containsKey(value)) {
                op(i, to, a, held.get(value));
                return;
            }
            At at = At.of(words.computeIfAbsent(value, v -> this.to.label()));
            if (simd.wide()) {
                this.to.broadcast(i, simd.width, to, a, at);
            } else {
                this.to.op(i, simd.width, to, a, at);
            }
        }

        /** to = a &amp; low | b &amp; high, of masks without a common bit; {@code free}, which may be a, is overwritten. */
        public void join(int to, int a, int low, int b, int high, int free) {
            if (simd.wide() && held.containsKey(low) && to != a) {
                uses.merge(low, 1, Integer::sum);
                constant(Instruction.VPAND, to, b, high);
                this.to.op(Instruction.VPTERNLOGD, simd.width, to, a, held.get(low), SECOND_WHERE_THIRD);
                return;
            }
            constant(Instruction.VPAND, free, a, low);
            constant(Instruction.VPAND, to, b, high);
            op(Instruction.VPOR, to, to, free);
        }

        /** Every lane = a constant. */
        public void constant(int to, int value) {
            spread(to, At.of(words.computeIfAbsent(value, v -> this.to.label())));
        }

        /** to = a op sixteen bytes repeated. */
        public void table(Instruction i, int to, int a, byte[] sixteen) {
            String key = HexFormat.of().formatHex(sixteen);
            tableBytes.put(key, sixteen.clone());
            this.to.op(i, simd.width, to, a, At.of(tables.computeIfAbsent(key, k -> this.to.label())));
        }

        /** to = a op the words given, from lane 0 on: one for each lane. */
        public void vector(Instruction i, int to, int a, int... laneWords) {
            List<Integer> key = Arrays.stream(laneWords).boxed().toList();
            this.to.op(i, simd.width, to, a, At.of(vectors.computeIfAbsent(key, k -> this.to.label())));
        }

        /** to = the words given, from lane 0 on. */
        public void vector(int to, int... laneWords) {
            Label skip = this.to.label();
            Label at = this.to.label();
            this.to.jmp(skip);
            this.to.align(64);
            this.to.bind(at);
            for (int word : laneWords) {
                this.to.data(word);
            }
            this.to.bind(skip);
            this.to.op(Instruction.VMOVUPS, simd.width, to, Assembler.NONE, At.of(at));
        }

        /** Every lane is the dword at {@code at}. */
        public void spread(int to, At at) {
            this.to.op(Instruction.VBROADCASTSS, simd.width, to, Assembler.NONE, at);
        }

        /** to += pairs of 16-bit numbers · the pair at {@code x}; {@code free} is overwritten. */
        public void dot(int to, int pairs, At x, int free) {
            if (simd.vnni) {
                this.to.broadcast(Instruction.VPDPWSSD, simd.width, to, pairs, x);
            } else {
                spread(free, x);
                op(Instruction.VPMADDWD, free, free, pairs);
                op(Instruction.VPADDD, to, to, free);
            }
        }

        /** to = a op the dword at {@code x} in every lane; {@code free} may be overwritten. */
        public void each(Instruction i, int to, int a, At x, int free) {
            if (simd.wide()) {
                this.to.broadcast(i, simd.width, to, a, x);
            } else {
                spread(free, x);
                op(i, to, a, free);
            }
        }

        /** to = 0. */
        public void zero(int to) {
            op(Instruction.VPXOR, to, to, to);
        }

        /** Ends the code: constants, then the bytes. */
        public byte[] finish() {
            to.align(64);
            int repeats = simd.wide() ? 1 : simd.lanes();
            tables.forEach((key, label) -> {
                to.align(64);
                to.bind(label);
                for (int i = 0; i < simd.width / 16; i++) {
                    table(tableBytes.get(key));
                }
            });
            vectors.forEach((laneWords, label) -> {
                to.align(64);
                to.bind(label);
                laneWords.forEach(to::data);
            });
            words.forEach((value, label) -> {
                to.bind(label);
                for (int i = 0; i < repeats; i++) {
                    to.data(value);
                }
            });
            return to.bytes();
        }

        private void table(byte[] sixteen) {
            for (int i = 0; i < 16; i += 4) {
                to.data(sixteen[i] & 255 | (sixteen[i + 1] & 255) << 8 | (sixteen[i + 2] & 255) << 16 | sixteen[i + 3] << 24);
            }
        }
    }
}
