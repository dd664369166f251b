package poot.backend.cuda.interpret;

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

        /** The address of an access of a lane, checked. */
        long of(Warp w, int lane, int bytes) {
            if (shared) {
                long at = (local.of(w)[lane] & 0xffffffffL) + plus;
                if (at > w.group.shared.length - bytes || (at & bytes - 1) != 0) {
                    throw new PtxFault("lane " + lane + ": " + bytes + " bytes at " + at + " of " + w.group.shared.length + " shared");
                }
                return at;
            }
            long at = global.of(w)[lane] + plus;
            if (!last.holds(at, bytes)) {
                last = w.group.space.find(at, bytes, "lane " + lane);
            }
            if ((at & bytes - 1) != 0) {
                throw new PtxFault("lane " + lane + ": " + bytes + " bytes at 0x" + Long.toHexString(at) + " are not aligned");
            }
            return at;
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

    private static int read(Warp w, boolean shared, long at, int bytes, boolean signed) {
        int raw = switch (bytes) {
            case 1 -> shared ? w.group.shared[(int) at] : w.group.space.all().get(ValueLayout.JAVA_BYTE, at);
            case 2 -> shared ? (short) SHARED_HALF.get(w.group.shared, (int) at) : w.group.space.all().get(HALF, at);
            default -> shared ? (int) SHARED_WORD.get(w.group.shared, (int) at) : w.group.space.all().get(WORD, at);
        };
        return signed || bytes == 4 ? raw : raw & (bytes == 1 ? 0xff : 0xffff);
    }

    private static void write(Warp w, boolean shared, long at, int bytes, int value) {
        switch (bytes) {
            case 1 -> {
                if (shared) {
                    w.group.shared[(int) at] = (byte) value;
                } else {
                    w.group.space.all().set(ValueLayout.JAVA_BYTE, at, (byte) value);
                }
            }
            case 2 -> {
                if (shared) {
                    SHARED_HALF.set(w.group.shared, (int) at, (short) value);
                } else {
                    w.group.space.all().set(HALF, at, (short) value);
                }
            }
            default -> {
                if (shared) {
                    SHARED_WORD.set(w.group.shared, (int) at, value);
                } else {
                    w.group.space.all().set(WORD, at, value);
                }
            }
        }
    }

    private static Step load(PtxSource.Line line) {
        List<String> to = Operands.group(line.operands().getFirst());
        boolean shared = line.op().get(1).equals("shared");
        int bytes = elementBytes(line);
        boolean signed = line.op().getLast().startsWith("s");
        Address address = new Address(line, line.operands().get(1), shared);
        int n = to.size();
        boolean floats = to.getFirst().startsWith("%f");
        boolean halves = to.getFirst().startsWith("%h");
        int[] targets = to.stream().mapToInt(t -> Operands.number(line, t, floats ? "%f" : halves ? "%h" : "%r")).toArray();
        return w -> {
            for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
                if ((m & 1) == 0) {
                    continue;
                }
                long at = address.of(w, l, bytes * n);
                for (int e = 0; e < n; e++) {
                    int value = read(w, shared, at + (long) e * bytes, bytes, signed);
                    if (floats) {
                        w.floats[targets[e]][l] = Float.intBitsToFloat(value);
                    } else {
                        (halves ? w.halves : w.words)[targets[e]][l] = value;
                    }
                }
            }
        };
    }

    private static Step store(PtxSource.Line line) {
        List<String> from = Operands.group(line.operands().get(1));
        boolean shared = line.op().get(1).equals("shared");
        int bytes = elementBytes(line);
        Address address = new Address(line, line.operands().getFirst(), shared);
        int n = from.size();
        boolean floats = from.getFirst().startsWith("%f");
        boolean halves = from.getFirst().startsWith("%h");
        int[] values = from.stream().mapToInt(t -> Operands.number(line, t, floats ? "%f" : halves ? "%h" : "%r")).toArray();
        return w -> {
            for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
                if ((m & 1) == 0) {
                    continue;
                }
                long at = address.of(w, l, bytes * n);
                for (int e = 0; e < n; e++) {
                    int value = floats ? Float.floatToRawIntBits(w.floats[values[e]][l]) : (halves ? w.halves : w.words)[values[e]][l];
                    write(w, shared, at + (long) e * bytes, bytes, value);
                }
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
            for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
                if ((m & 1) == 0) {
                    continue;
                }
                long at = address.of(w, l, Integer.BYTES);
                int before = read(w, shared, at, Integer.BYTES, true);
                int x = value.of(w)[l];
                write(w, shared, at, Integer.BYTES, switch (op) {
                    case "add" -> before + x;
                    case "max" -> Integer.compareUnsigned(before, x) > 0 ? before : x;
                    case "or" -> before | x;
                    default -> throw line.fault("not known");
                });
                w.words[to][l] = before;
            }
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
            for (int l = 0, m = w.mask; l < Warp.LANES; l++, m >>>= 1) {
                if ((m & 1) != 0) {
                    int at = (int) to.of(w, l, bytes);
                    w.begun.add(new Warp.Copy(at, from.of(w, l, bytes), bytes));
                    Arrays.fill(w.group.shared, at, at + bytes, (byte) -1);
                }
            }
        };
    }
}
