package poot.backend.cuda.ptx;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.Block;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Param;
import poot.core.kernel.ir.Place;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * What holds of a kernel's registers whatever it is run with: which are the same in all lanes of a warp, and which
 * addresses nothing writes to. Both are assumed of everything and given up where they cannot be shown, until nothing changes.
 */
final class KernelFacts {
    private final Set<Integer> varying = new HashSet<>();
    private final Set<Integer> written = new HashSet<>();

    private KernelFacts() {}

    static KernelFacts of(DeviceKernel kernel) {
        KernelFacts facts = new KernelFacts();
        for (Param p : kernel.params()) {
            if (p instanceof Param.Buffer b && b.access() != Access.READ) {
                facts.written.add(b.reg().id());
            }
        }
        int before;
        do {
            before = facts.varying.size() + facts.written.size();
            facts.visit(kernel.body());
        } while (facts.varying.size() + facts.written.size() != before);
        return facts;
    }

    /** Whether every lane of a warp has the same value. */
    boolean isUniform(Reg r) {
        return !varying.contains(r.id());
    }

    /** Whether nothing writes what the address leads to while the kernel runs. */
    boolean isReadOnly(Reg buffer) {
        return !written.contains(buffer.id());
    }

    private void visit(Block block) {
        block.instructions().forEach(this::visit);
    }

    private void visit(Instruction i) {
        i.blocks().forEach(this::visit);
        switch (i) {
            case Instruction.If f -> {
                join(f.results(), f.then().yields());
                join(f.results(), f.otherwise().yields());
                vary(f.results(), !isUniform(f.condition()));
            }
            case Instruction.For f -> {
                boolean same = isUniform(f.from()) && isUniform(f.to()) && isUniform(f.step());
                vary(List.of(f.variable()), !same);
                carry(f.carried(), f.initial(), f.body(), f.results(), same);
            }
            case Instruction.While w -> carry(w.carried(), w.initial(), w.body(), w.results(), isUniform(w.condition().yields().getFirst()));
            case Instruction.ReadBuiltin b -> vary(b.results(), switch (b.builtin()) {
                case THREAD, LANE -> true;
                case WORKGROUP_X, WORKGROUP_Y, WORKGROUP_Z, GRID_X, GRID_Y, GRID_Z, SUBGROUP -> false;
            });
            case Instruction.Load l -> vary(l.results(), !allUniform(l.operands())
                    || !(l.place() instanceof Place.Global g && isReadOnly(g.buffer())));
            case Instruction.Atomic a -> vary(a.results(), true);
            case Instruction.Shuffle s -> vary(s.results(), !isUniform(s.lane()) && !isUniform(s.a()));
            case Instruction.SubgroupReduce r -> vary(r.results(), false);
            case Instruction.Broadcast b -> vary(b.results(), false);
            default -> pass(i);
        }
    }

    /** A result is what its operands are. */
    private void pass(Instruction i) {
        vary(i.results(), !allUniform(i.operands()));
        for (Reg r : i.results()) {
            if (r.type() == ScalarType.BUFFER && i.operands().stream().anyMatch(o -> o.type() == ScalarType.BUFFER && !isReadOnly(o))) {
                written.add(r.id());
            }
        }
    }

    private void carry(List<Reg> carried, List<Reg> initial, Block body, List<Reg> results, boolean same) {
        join(carried, initial);
        join(carried, body.yields());
        vary(carried, !same);
        join(results, carried);
    }

    private void join(List<Reg> to, List<Reg> from) {
        for (int i = 0; i < to.size(); i++) {
            vary(List.of(to.get(i)), !isUniform(from.get(i)));
            if (!isReadOnly(from.get(i))) {
                written.add(to.get(i).id());
            }
        }
    }

    private boolean allUniform(List<Reg> regs) {
        return regs.stream().allMatch(this::isUniform);
    }

    private void vary(List<Reg> regs, boolean does) {
        if (does) {
            regs.forEach(r -> varying.add(r.id()));
        }
    }
}
