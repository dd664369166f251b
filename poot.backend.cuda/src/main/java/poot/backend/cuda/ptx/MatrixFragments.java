package poot.backend.cuda.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryType;

/**
 * Matrix fragments in the layouts of {@code mma.sync} (PTX ISA, "Matrix fragments for mma"). With g = lane / 4 and
 * t = lane % 4, and the two halves of 16 rows or columns called low and high:
 * <ul>
 * <li>A of 16-bit elements, four words, (m, k) low low, high low, low high, high high: row g, columns 2t and 2t + 1;
 * <li>B of 16-bit elements, four words, (n, k) low low, low high, high low, high high: column g, rows 2t and 2t + 1;
 * <li>A and B of I8, two words, low and high: row (or column) g, four along k from 4t on;
 * <li>accumulators, eight words: n low, then high, of it m low, then high, of it columns 2t and 2t + 1 of row g.
 * </ul>
 * Columns of an accumulator are two products of 16 x 8, each one {@code mma} (of capability 7.5: of half the size).
 */
final class MatrixFragments {
    private final PtxText out;
    private final PtxTarget target;
    private final MemoryAccess memory;
    private final Conversions conversions;

    MatrixFragments(PtxText out, PtxTarget target, MemoryAccess memory, Conversions conversions) {
        this.out = out;
        this.target = target;
        this.memory = memory;
        this.conversions = conversions;
    }

    /** How many PTX registers a lane has of a fragment. */
    static int registers(Fragment f) {
        return f.use() == Fragment.Use.ACCUMULATOR ? 8 : f.element() == MemoryType.I8 ? 2 : 4;
    }

    void fill(Instruction.FragmentFill f) {
        Fragment type = (Fragment) f.result().type();
        String value = out.register(f.value());
        String word = switch (type.element()) {
            case F16 -> {
                String half = conversions.half(value);
                String packed = word();
                out.line("mov.b32", packed, "{" + half + ", " + half + "}");
                yield packed;
            }
            case BF16 -> {
                String brain = word();
                conversions.brain(brain, value);
                String packed = word();
                out.line("mul.lo.u32", packed, brain, "65537");
                yield packed;
            }
            case I8 -> {
                String packed = word();
                out.line("and.b32", packed, value, "255");
                out.line("mul.lo.u32", packed, packed, "16843009");
                yield packed;
            }
            default -> value;
        };
        for (String to : out.registers().defineAll(f.result())) {
            out.line("mov" + PtxRegisters.kind(f.result()).moved(), to, word);
        }
    }

    void multiply(Instruction.FragmentMultiply m) {
        List<String> a = out.registers().all(m.a());
        List<String> b = out.registers().all(m.b());
        List<String> c = out.registers().all(m.accumulator());
        List<String> d = out.registers().defineAll(m.result());
        MemoryType element = ((Fragment) m.a().type()).element();
        for (int n = 0; n < 2; n++) {
            List<String> from = c.subList(4 * n, 4 * n + 4);
            List<String> to = d.subList(4 * n, 4 * n + 4);
            if (element == MemoryType.I8) {
                integers(to, a, b.get(n), from);
            } else {
                floats(element == MemoryType.F16 ? ".f16" : ".bf16", to, a, b.subList(2 * n, 2 * n + 2), from);
            }
        }
    }

    private void floats(String type, List<String> to, List<String> a, List<String> b, List<String> from) {
        String types = ".row.col.f32" + type + type + ".f32";
        if (target.hasAmpere()) {
            mma("m16n8k16" + types, to, a, b, from);
            return;
        }
        List<String> half = IntStream.range(0, 4).mapToObj(i -> out.registers().fresh(PtxRegisters.Kind.FLOAT)).toList();
        mma("m16n8k8" + types, half, a.subList(0, 2), b.subList(0, 1), from);
        mma("m16n8k8" + types, to, a.subList(2, 4), b.subList(1, 2), half);
    }

    private void integers(List<String> to, List<String> a, String b, List<String> from) {
        if (target.hasAmpere()) {
            mma("m16n8k16.row.col.s32.s8.s8.s32", to, a, List.of(b), from);
            return;
        }
        for (int m = 0; m < 2; m++) {
            mma("m8n8k16.row.col.s32.s8.s8.s32", to.subList(2 * m, 2 * m + 2), a.subList(m, m + 1), List.of(b), from.subList(2 * m, 2 * m + 2));
        }
    }

    private void mma(String shape, List<String> d, List<String> a, List<String> b, List<String> c) {
        out.line("mma.sync.aligned." + shape, group(d), group(a), group(b), group(c));
    }

    void load(Instruction.FragmentLoad l) {
        Fragment type = (Fragment) l.result().type();
        Grid grid = new Grid(memory.address(l.place()), stride(out.operand(l.stride()), type.element().bytes()));
        List<String> to = out.registers().defineAll(l.result());
        // Whether memory is contiguous along k, as the layouts have it, or across.
        boolean along = (type.use() == Fragment.Use.A) == (l.layout() == Layout.ROW_MAJOR);
        if (type.use() == Fragment.Use.ACCUMULATOR) {
            accumulator(grid, to, l.layout(), type.element() == MemoryType.F32, true);
        } else if (type.element() == MemoryType.I8) {
            bytes(grid, to, along);
        } else if (grid.base.isShared()) {
            matrices(grid, to, l.layout(), along);
        } else {
            halves(grid, to, l.layout(), along);
        }
    }

    void store(Instruction.FragmentStore s) {
        Fragment type = (Fragment) s.fragment().type();
        Grid grid = new Grid(memory.address(s.place()), stride(out.operand(s.stride()), type.element().bytes()));
        accumulator(grid, out.registers().all(s.fragment()), s.layout(), type.element() == MemoryType.F32, false);
    }

    /** Four 8 x 8 matrices at once: lane 8 i + r names row r of matrix i. */
    private void matrices(Grid grid, List<String> to, Layout layout, boolean along) {
        String lane = lane();
        String row = op("and.b32", lane, "7");
        String first = op("and.b32", op("shr.u32", lane, "3"), "1");
        String second = op("shr.u32", lane, "4");
        String outer = layout == Layout.ROW_MAJOR ? first : second;
        String inner = layout == Layout.ROW_MAJOR ? second : first;
        String at = word();
        out.line("mad.lo.u32", at, outer, "8", row);
        var place = grid.at(at, op("shl.b32", inner, "4"));
        out.line("ldmatrix.sync.aligned.m8n8.x4" + (along ? "" : ".trans") + ".shared.b16", group(to), place.text());
    }

    /** 16-bit elements from device memory. */
    private void halves(Grid grid, List<String> to, Layout layout, boolean along) {
        String lane = lane();
        String g = op("shr.u32", lane, "2");
        String t = op("and.b32", lane, "3");
        for (int i = 0; i < 4; i++) {
            int outer = 8 * (layout == Layout.ROW_MAJOR ? i & 1 : i >> 1);
            int inner = 8 * (layout == Layout.ROW_MAJOR ? i >> 1 : i & 1);
            if (along) {
                var place = grid.at(op("add.u32", g, Integer.toString(outer)), op("shl.b32", t, "2")).plus(2 * inner);
                out.line("ld" + place.space() + ".b32", to.get(i), place.text());
                continue;
            }
            List<String> pair = new ArrayList<>();
            for (int e = 0; e < 2; e++) {
                String half = out.registers().fresh(PtxRegisters.Kind.HALF);
                String row = op("add.u32", op("shl.b32", t, "1"), Integer.toString(outer + e));
                var place = grid.at(row, op("shl.b32", g, "1")).plus(2 * inner);
                out.line("ld" + place.space() + ".b16", half, place.text());
                pair.add(half);
            }
            out.line("mov.b32", to.get(i), group(pair));
        }
    }

    /** Signed bytes. */
    private void bytes(Grid grid, List<String> to, boolean along) {
        String lane = lane();
        String g = op("shr.u32", lane, "2");
        String t = op("and.b32", lane, "3");
        for (int i = 0; i < 2; i++) {
            if (along) {
                var place = grid.at(op("add.u32", g, Integer.toString(8 * i)), op("shl.b32", t, "2"));
                out.line("ld" + place.space() + ".b32", to.get(i), place.text());
                continue;
            }
            String packed = null;
            for (int e = 3; e >= 0; e--) {
                var place = grid.at(op("add.u32", op("shl.b32", t, "2"), Integer.toString(e)), g).plus(8 * i);
                String one = e == 0 ? to.get(i) : word();
                String loaded = word();
                out.line("ld" + place.space() + ".u8", loaded, place.text());
                if (packed == null) {
                    packed = loaded;
                } else {
                    out.line("mad.lo.u32", one, packed, "256", loaded);
                    packed = one;
                }
            }
        }
    }

    private void accumulator(Grid grid, List<String> regs, Layout layout, boolean floats, boolean loads) {
        String lane = lane();
        String g = op("shr.u32", lane, "2");
        String t = op("and.b32", lane, "3");
        String kind = floats ? ".f32" : ".b32";
        for (int i = 0; i < 4; i++) {
            int m = 8 * (i & 1);
            int n = 8 * (i >> 1);
            List<String> pair = regs.subList(2 * i, 2 * i + 2);
            if (layout == Layout.ROW_MAJOR) {
                var place = grid.at(op("add.u32", g, Integer.toString(m)), op("shl.b32", t, "3")).plus(4 * n);
                move(loads, place, ".v2" + kind, group(pair));
                continue;
            }
            for (int e = 0; e < 2; e++) {
                var place = grid.at(op("add.u32", op("shl.b32", t, "1"), Integer.toString(n + e)), op("shl.b32", g, "2")).plus(4 * m);
                move(loads, place, kind, pair.get(e));
            }
        }
    }

    private void move(boolean loads, MemoryAccess.Address place, String type, String regs) {
        if (loads) {
            out.line("ld" + place.space() + type, regs, place.text());
        } else {
            out.line("st" + place.space() + type, place.text(), regs);
        }
    }

    /** A matrix in memory: where it begins, and bytes from one row (or column) to the next. */
    private final class Grid {
        private final MemoryAccess.Address base;
        private final String stride;

        Grid(MemoryAccess.Address base, String stride) {
            this.base = base;
            this.stride = stride;
        }

        /** So many rows (or columns) and bytes on. */
        MemoryAccess.Address at(String outer, String innerBytes) {
            if (base.isShared()) {
                String row = word();
                String start = word();
                out.line("mov.u32", start, base.register());
                out.line("mad.lo.u32", row, outer, stride, start);
                return new MemoryAccess.Address(base.space(), op("add.u32", row, innerBytes), base.displacement());
            }
            String row = out.registers().fresh(PtxRegisters.Kind.ADDRESS);
            String at = out.registers().fresh(PtxRegisters.Kind.ADDRESS);
            out.line("mad.wide.u32", row, outer, stride, base.register());
            out.line("mad.wide.u32", at, innerBytes, "1", row);
            return new MemoryAccess.Address(base.space(), at, base.displacement());
        }
    }

    private String stride(String elements, int bytes) {
        return op("mul.lo.u32", elements, Integer.toString(bytes));
    }

    private String lane() {
        String tid = word();
        out.line("mov.u32", tid, "%tid.x");
        return op("and.b32", tid, Integer.toString(WarpOperations.WARP - 1));
    }

    private String op(String name, String a, String b) {
        String to = word();
        out.line(name, to, a, b);
        return to;
    }

    private String word() {
        return out.registers().fresh(PtxRegisters.Kind.WORD);
    }

    private static String group(List<String> names) {
        return "{" + String.join(", ", names) + "}";
    }
}
