package poot.backend.cuda.ptx;

import poot.core.kernel.ir.Builtin;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.ScalarType;

/** What a thread knows of its place, and what the lanes of a warp do together. */
final class WarpOperations {
    static final int WARP = 32;
    private static final String ALL = "0xffffffff";
    /** The last operand of shuffles: no segments, lanes up to 31. */
    private static final String WHOLE = "31";

    private final PtxText out;
    private final PtxTarget target;

    WarpOperations(PtxText out, PtxTarget target) {
        this.out = out;
        this.target = target;
    }

    void builtin(Instruction.ReadBuiltin b) {
        String to = out.registers().define(b.result());
        out.line("mov.u32", to, special(b.builtin()));
        switch (b.builtin()) {
            case LANE -> out.line("and.b32", to, to, Integer.toString(WARP - 1));
            case SUBGROUP -> out.line("shr.u32", to, to, Integer.toString(Integer.numberOfTrailingZeros(WARP)));
            default -> { }
        }
    }

    private static String special(Builtin b) {
        return switch (b) {
            case WORKGROUP_X -> "%ctaid.x";
            case WORKGROUP_Y -> "%ctaid.y";
            case WORKGROUP_Z -> "%ctaid.z";
            case GRID_X -> "%nctaid.x";
            case GRID_Y -> "%nctaid.y";
            case GRID_Z -> "%nctaid.z";
            case THREAD, LANE, SUBGROUP -> "%tid.x";
        };
    }

    void barrier() {
        out.line("bar.sync", "0");
    }

    /** Integers in one instruction where there is one; else five exchanges, after which every lane has the same bits. */
    void reduce(Instruction.SubgroupReduce r) {
        String a = out.register(r.a());
        ScalarType type = (ScalarType) r.a().type();
        String to = out.registers().define(r.result());
        if (target.hasAmpere() && type.isInteger()) {
            out.line("redux.sync" + name(r.op()) + (bits(r.op()) ? ".b32" : Arithmetic.suffix(type)), to, a, ALL);
            return;
        }
        String sum = type == ScalarType.F32 && r.op() == ReduceOp.ADD ? ".rn" : "";
        String join = name(r.op()).substring(1) + sum + (bits(r.op()) ? ".b32" : Arithmetic.suffix(type));
        String held = a;
        for (int mask = WARP / 2; mask > 0; mask /= 2) {
            String other = out.registers().fresh(PtxRegisters.kind(r.a()));
            out.line("shfl.sync.bfly.b32", other, held, Integer.toString(mask), WHOLE, ALL);
            String joined = mask == 1 ? to : out.registers().fresh(PtxRegisters.kind(r.a()));
            out.line(join, joined, held, other);
            held = joined;
        }
    }

    private static String name(ReduceOp op) {
        return switch (op) {
            case ADD -> ".add";
            case MIN -> ".min";
            case MAX -> ".max";
            case AND -> ".and";
            case OR -> ".or";
        };
    }

    private static boolean bits(ReduceOp op) {
        return op == ReduceOp.AND || op == ReduceOp.OR;
    }

    void shuffle(Instruction.Shuffle s) {
        exchange("shfl.sync.idx.b32", s.result(), s.a(), out.operand(s.lane()));
    }

    void shuffleXor(Instruction.ShuffleXor s) {
        exchange("shfl.sync.bfly.b32", s.result(), s.a(), Integer.toString(s.mask()));
    }

    void broadcast(Instruction.Broadcast b) {
        exchange("shfl.sync.idx.b32", b.result(), b.a(), "0");
    }

    private void exchange(String op, Reg result, Reg a, String which) {
        String from = out.register(a);
        out.line(op, out.registers().define(result), from, which, WHOLE, ALL);
    }
}
