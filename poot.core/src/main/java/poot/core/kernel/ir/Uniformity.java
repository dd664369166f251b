package poot.core.kernel.ir;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which registers are the same for all threads of a workgroup or subgroup, and which flow is. A register counts as
 * uniform where it follows from literals, parameters, the workgroup's place and memory read at a uniform place: that
 * is sound as long as threads do not race.
 *
 * <p>Levels only rise, so that walking the kernel until nothing changes ends.
 */
final class Uniformity {
    /** Who shares a value, from all to none. */
    enum Level {
        WORKGROUP, SUBGROUP, THREAD;

        Level or(Level other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }

    private final Map<Reg, Level> levels = new HashMap<>();
    private boolean changed;

    /** The levels of a kernel's registers. */
    static Uniformity of(DeviceKernel kernel) {
        Uniformity out = new Uniformity();
        do {
            out.changed = false;
            out.walk(kernel.body(), Level.WORKGROUP);
        } while (out.changed);
        return out;
    }

    /** Who shares a register's value. */
    Level level(Reg r) {
        return levels.getOrDefault(r, Level.WORKGROUP);
    }

    /** Who shares the flow within a block of an instruction. */
    Level inside(Instruction i, Level outside) {
        return switch (i) {
            case Instruction.If f -> outside.or(level(f.condition()));
            case Instruction.For f -> outside.or(level(f.from())).or(level(f.to())).or(level(f.step()));
            case Instruction.While w -> outside.or(join(w.condition().yields()));
            default -> outside;
        };
    }

    private void walk(Block block, Level flow) {
        for (Instruction i : block.instructions()) {
            Level inside = inside(i, flow);
            switch (i) {
                case Instruction.ReadBuiltin b -> raise(b.result(), switch (b.builtin()) {
                    case WORKGROUP_X, WORKGROUP_Y, WORKGROUP_Z, GRID_X, GRID_Y, GRID_Z -> Level.WORKGROUP;
                    case SUBGROUP -> Level.SUBGROUP;
                    case THREAD, LANE -> Level.THREAD;
                });
                case Instruction.SubgroupReduce r -> raise(r.result(), reduced(r.a()));
                case Instruction.Broadcast r -> raise(r.result(), reduced(r.a()));
                case Instruction.Shuffle s -> raise(s.result(), level(s.lane()) == Level.THREAD ? level(s.a()) : reduced(s.a()));
                case Instruction.Atomic a -> raise(a.result(), Level.THREAD);
                case Instruction.If f -> branch(f, inside);
                case Instruction.For f -> count(f, inside);
                case Instruction.While w -> repeat(w, flow);
                default -> i.results().forEach(r -> raise(r, join(i.operands())));
            }
        }
    }

    private void branch(Instruction.If f, Level inside) {
        walk(f.then(), inside);
        walk(f.otherwise(), inside);
        for (int k = 0; k < f.results().size(); k++) {
            raise(f.results().get(k), level(f.condition()).or(level(f.then().yields().get(k))).or(level(f.otherwise().yields().get(k))));
        }
    }

    private void count(Instruction.For f, Level inside) {
        Level trips = level(f.from()).or(level(f.to())).or(level(f.step()));
        raise(f.variable(), level(f.from()).or(level(f.step())));
        carry(f.carried(), f.initial());
        walk(f.body(), inside);
        carry(f.carried(), f.body().yields());
        finish(f.results(), f.carried(), trips);
    }

    private void repeat(Instruction.While w, Level flow) {
        carry(w.carried(), w.initial());
        walk(w.condition(), inside(w, flow));
        walk(w.body(), inside(w, flow));
        carry(w.carried(), w.body().yields());
        finish(w.results(), w.carried(), join(w.condition().yields()));
    }

    private void carry(List<Reg> carried, List<Reg> from) {
        for (int k = 0; k < carried.size(); k++) {
            raise(carried.get(k), level(from.get(k)));
        }
    }

    private void finish(List<Reg> results, List<Reg> carried, Level trips) {
        for (int k = 0; k < results.size(); k++) {
            raise(results.get(k), trips.or(level(carried.get(k))));
        }
    }

    private Level reduced(Reg a) {
        return level(a) == Level.WORKGROUP ? Level.WORKGROUP : Level.SUBGROUP;
    }

    private Level join(List<Reg> regs) {
        Level out = Level.WORKGROUP;
        for (Reg r : regs) {
            out = out.or(level(r));
        }
        return out;
    }

    private void raise(Reg r, Level to) {
        Level now = level(r);
        if (now.or(to) != now) {
            levels.put(r, to);
            changed = true;
        }
    }
}
