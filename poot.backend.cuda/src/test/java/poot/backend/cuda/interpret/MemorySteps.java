package poot.backend.cuda.interpret;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Loads, stores, atomics, copies. Every lane's access is checked: within an allocation, on its own alignment. */
final class MemorySteps {
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfShort HALF = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final VarHandle SHARED_WORD = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHARED_HALF = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private MemorySteps() {}

    static Step of(PtxSource source, PtxSource.Line line) {
        String space = line.op().get(1);
        return switch (line.op().getFirst()) {
            case "ld" -> space.equals("param") ? parameter(source, line) : load(line);
            case "st" -> store(line);
            case "atom" -> atomic(line);
            default -> copy(line);
        };
    }

    /** Where lanes access memory: a register and what is added, of shared or device memory. */
    private static final class Address {
        private final boolean shared;
        private final Operands.Longs global;
        private final Operands.Words local;
        private final long plus;
        private DeviceSpace.Range last = DeviceSpace.Range.NONE;

        Address(PtxSource.Line line, String text, boolean shared) {
            String[] parts = text.substring(1, text.length() - 1).split("\\+");
            this.shared = shared;
            plus = parts.length > 1 ? Long.parseLong(parts[1]) : 0;
            global = shared ? null : Operands.longs(line, parts[0]);
            local = !shared ? null : Operands.words(line, parts[0].equals("shared") ? "0" : parts[0]);
        }

        /** The addresses of the lanes that run, checked, in a place of the warp's own. */
        long[] of(Warp w, int bytes) {
            long[] out = w.address;
            if (shared) {
                int[] base = local.of(w);
                int length = w.group.shared.length;
                for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
                    long at = (base[l] & 0xffffffffL) + plus;
                    if ((m & 1) != 0 && (at > length - bytes || (at & bytes - 1) != 0)) {
                        throw new PtxFault("lane " + l + ": " + bytes + " bytes at " + at + " of " + length + " shared");
                    }
                    out[l] = at;
                }
                return out;
            }
            long[] base = global.of(w);
            for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
                long at = base[l] + plus;
                out[l] = at;
                if ((m & 1) != 0 && (!last.holds(at, bytes) || (at & bytes - 1) != 0)) {
                    check(w, l, at, bytes);
                }
            }
            return out;
        }

        private void check(Warp w, int lane, long at, int bytes) {
            last = w.group.space.find(at, bytes, "lane " + lane);
            if ((at & bytes - 1) != 0) {
                throw new PtxFault("lane " + lane + ": " + bytes + " bytes at 0x" + Long.toHexString(at) + " are not aligned");
            }
        }
    }

    private static int elementBytes(PtxSource.Line line) {
        return switch (line.op().getLast()) {
            case "u8", "s8" -> 1;
            case "u16", "s16", "b16" -> 2;
            case "u32", "s32", "b32", "f32" -> 4;
            default -> throw line.fault("not known");
        };
    }

    private static Step parameter(PtxSource source, PtxSource.Line line) {
        String name = line.operands().get(1).substring(1, line.operands().get(1).length() - 1);
        PtxSource.Param p = source.params().stream().filter(x -> x.name().equals(name)).findFirst().orElseThrow(() -> line.fault("no such parameter"));
        String to = line.operands().getFirst();
        return switch (line.op().getLast()) {
            case "u64" -> {
                int d = Operands.number(line, to, "%rd");
                yield w -> Arrays.fill(w.addresses[d], w.group.params.get(ValueLayout.JAVA_LONG_UNALIGNED, p.offset()));
            }
            case "f32" -> {
                int d = Operands.number(line, to, "%f");
                yield w -> Arrays.fill(w.floats[d], w.group.params.get(ValueLayout.JAVA_FLOAT_UNALIGNED, p.offset()));
            }
            default -> {
                int d = Operands.number(line, to, "%r");
                yield w -> Arrays.fill(w.words[d], w.group.params.get(WORD, p.offset()));
            }
        };
    }

    /** Reads an element of each lane that runs. */
    private static void read(Warp w, boolean shared, long[] at, int plus, int bytes, boolean signed, int[] to) {
        byte[] near = w.group.shared;
        MemorySegment far = w.group.space.all();
        int keep = signed || bytes == 4 ? -1 : bytes == 1 ? 0xff : 0xffff;
        for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
            if ((m & 1) != 0) {
                long i = at[l] + plus;
                to[l] = keep & switch (bytes) {
                    case 1 -> shared ? near[(int) i] : far.get(ValueLayout.JAVA_BYTE, i);
                    case 2 -> shared ? (short) SHARED_HALF.get(near, (int) i) : far.get(HALF, i);
                    default -> shared ? (int) SHARED_WORD.get(near, (int) i) : far.get(WORD, i);
                };
            }
        }
    }

    /** Writes an element of each lane that runs. */
    private static void write(Warp w, boolean shared, long[] at, int plus, int bytes, int[] from) {
        byte[] near = w.group.shared;
        MemorySegment far = w.group.space.all();
        for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
            if ((m & 1) == 0) {
                continue;
            }
            long i = at[l] + plus;
            switch (bytes) {
                case 1 -> {
                    if (shared) {
                        near[(int) i] = (byte) from[l];
                    } else {
                        far.set(ValueLayout.JAVA_BYTE, i, (byte) from[l]);
                    }
                }
                case 2 -> {
                    if (shared) {
                        SHARED_HALF.set(near, (int) i, (short) from[l]);
                    } else {
                        far.set(HALF, i, (short) from[l]);
                    }
                }
                default -> {
                    if (shared) {
                        SHARED_WORD.set(near, (int) i, from[l]);
                    } else {
                        far.set(WORD, i, from[l]);
                    }
                }
            }
        }
    }

    /** Registers of one kind, by number. */
    private record Registers(String prefix, int[] numbers) {
        static Registers of(PtxSource.Line line, String operand) {
            List<String> names = Operands.group(operand);
            String first = names.getFirst();
            String prefix = first.startsWith("%f") ? "%f" : first.startsWith("%h") ? "%h" : "%r";
            return new Registers(prefix, names.stream().mapToInt(n -> Operands.number(line, n, prefix)).toArray());
        }

        boolean areFloats() {
            return prefix.equals("%f");
        }

        int[] words(Warp w, int i) {
            return (prefix.equals("%h") ? w.halves : w.words)[numbers[i]];
        }
    }

    private static Step load(PtxSource.Line line) {
        Registers to = Registers.of(line, line.operands().getFirst());
        boolean shared = line.op().get(1).equals("shared");
        int bytes = elementBytes(line);
        boolean signed = line.op().getLast().startsWith("s");
        Address address = new Address(line, line.operands().get(1), shared);
        int n = to.numbers().length;
        boolean floats = to.areFloats();
        return w -> {
            long[] at = address.of(w, bytes * n);
            for (int e = 0; e < n; e++) {
                if (!floats) {
                    read(w, shared, at, e * bytes, bytes, signed, to.words(w, e));
                    continue;
                }
                read(w, shared, at, e * bytes, bytes, signed, w.word);
                float[] f = w.floats[to.numbers()[e]];
                for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
                    f[l] = (m & 1) != 0 ? Float.intBitsToFloat(w.word[l]) : f[l];
                }
            }
        };
    }

    private static Step store(PtxSource.Line line) {
        Registers from = Registers.of(line, line.operands().get(1));
        boolean shared = line.op().get(1).equals("shared");
        int bytes = elementBytes(line);
        Address address = new Address(line, line.operands().getFirst(), shared);
        int n = from.numbers().length;
        boolean floats = from.areFloats();
        return w -> {
            long[] at = address.of(w, bytes * n);
            for (int e = 0; e < n; e++) {
                int[] values = w.word;
                if (floats) {
                    float[] f = w.floats[from.numbers()[e]];
                    for (int l = 0; l < Warp.LANES; l++) {
                        values[l] = Float.floatToRawIntBits(f[l]);
                    }
                } else {
                    values = from.words(w, e);
                }
                write(w, shared, at, e * bytes, bytes, values);
            }
        };
    }

    private static Step atomic(PtxSource.Line line) {
        boolean shared = line.op().get(1).equals("shared");
        Address address = new Address(line, line.operands().get(1), shared);
        int to = Operands.number(line, line.operands().getFirst(), "%r");
        Operands.Words value = Operands.words(line, line.operands().get(2));
        String op = line.op().get(2);
        return w -> {
            long[] at = address.of(w, Integer.BYTES);
            int all = w.mask;
            for (int l = 0; l < Warp.LANES; l++) {
                w.mask = all & 1 << l;
                read(w, shared, at, 0, Integer.BYTES, true, w.word);
                int before = w.word[l];
                int x = value.of(w)[l];
                w.word[l] = switch (op) {
                    case "add" -> before + x;
                    case "max" -> Integer.compareUnsigned(before, x) > 0 ? before : x;
                    case "or" -> before | x;
                    default -> throw line.fault("not known");
                };
                write(w, shared, at, 0, Integer.BYTES, w.word);
                if (w.mask != 0) {
                    w.words[to][l] = before;
                }
            }
            w.mask = all;
        };
    }

    /** A copy spoils what it will write, and is done when it is waited for. */
    private static Step copy(PtxSource.Line line) {
        String op = line.op().get(2);
        if (op.equals("commit_group")) {
            return w -> {
                w.copies.add(w.begun);
                w.begun = new ArrayList<>();
            };
        }
        if (op.equals("wait_group")) {
            int pending = Integer.parseInt(line.operands().getFirst());
            return w -> {
                while (w.copies.size() > pending) {
                    for (Warp.Copy c : w.copies.remove()) {
                        for (int i = 0; i < c.bytes(); i++) {
                            w.group.shared[c.to() + i] = w.group.space.all().get(ValueLayout.JAVA_BYTE, c.from() + i);
                        }
                    }
                }
            };
        }
        Address to = new Address(line, line.operands().getFirst(), true);
        Address from = new Address(line, line.operands().get(1), false);
        int bytes = Integer.parseInt(line.operands().get(2));
        return w -> {
            long[] near = to.of(w, bytes).clone();
            long[] far = from.of(w, bytes);
            for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
                if ((m & 1) != 0) {
                    int at = (int) near[l];
                    w.begun.add(new Warp.Copy(at, far[l], bytes));
                    Arrays.fill(w.group.shared, at, at + bytes, (byte) -1);
                }
            }
        };
    }
}
