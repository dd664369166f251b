package poot.backend.cuda.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import poot.core.kernel.ir.Block;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * Structured flow as labels and branches. What a construct gives is moved into registers at the end of each of its
 * blocks; what a loop carries lives in the same registers throughout. A branch that every lane of a warp takes alike, and
 * that stands where all of them run, is marked so.
 */
final class Flow {
    private final PtxText out;
    private final KernelFacts facts;
    private final Consumer<Block> write;
    private boolean uniform = true;

    Flow(PtxText out, KernelFacts facts, Consumer<Block> write) {
        this.out = out;
        this.facts = facts;
        this.write = write;
    }

    void choose(Instruction.If f) {
        String condition = out.register(f.condition());
        String otherwise = out.label();
        String branch = branch(facts.isUniform(f.condition()));
        for (Reg r : f.results()) {
            out.registers().defineAll(r);
        }
        boolean outer = enter(facts.isUniform(f.condition()));
        out.guarded("!" + condition, branch, otherwise);
        write.accept(f.then());
        move(f.results(), f.then().yields());
        if (f.otherwise().instructions().isEmpty() && f.results().isEmpty()) {
            out.place(otherwise);
        } else {
            String end = out.label();
            out.line("bra.uni", end);
            out.place(otherwise);
            write.accept(f.otherwise());
            move(f.results(), f.otherwise().yields());
            out.place(end);
        }
        uniform = outer;
    }

    void count(Instruction.For f) {
        ScalarType type = (ScalarType) f.variable().type();
        String suffix = Arithmetic.suffix(type);
        boolean same = facts.isUniform(f.from()) && facts.isUniform(f.to()) && facts.isUniform(f.step());
        String branch = branch(same);
        String to = out.operand(f.to());
        String step = out.operand(f.step());
        begin(f.carried(), f.initial());
        String from = out.operand(f.from());
        String i = out.registers().define(f.variable());
        out.line("mov.b32", i, from);
        String top = out.label();
        String end = out.label();
        String goes = out.registers().fresh(PtxRegisters.Kind.PREDICATE);
        boolean outer = enter(same);
        out.line("setp.ge" + suffix, goes, i, to);
        out.guarded(goes, branch, end);
        out.place(top);
        write.accept(f.body());
        move(f.carried(), f.body().yields());
        out.line("add" + suffix, i, i, step);
        out.line("setp.lt" + suffix, goes, i, to);
        out.guarded(goes, branch, top);
        out.place(end);
        uniform = outer;
        finish(f.results(), f.carried());
    }

    void repeat(Instruction.While w) {
        Reg condition = w.condition().yields().getFirst();
        begin(w.carried(), w.initial());
        String branch = branch(facts.isUniform(condition));
        String top = out.label();
        String end = out.label();
        boolean outer = enter(facts.isUniform(condition));
        out.place(top);
        write.accept(w.condition());
        out.guarded("!" + out.register(condition), branch, end);
        write.accept(w.body());
        move(w.carried(), w.body().yields());
        out.line("bra.uni", top);
        out.place(end);
        uniform = outer;
        finish(w.results(), w.carried());
    }

    private boolean enter(boolean same) {
        boolean outer = uniform;
        uniform &= same;
        return outer;
    }

    private String branch(boolean same) {
        return same && uniform ? "bra.uni" : "bra";
    }

    private void begin(List<Reg> carried, List<Reg> initial) {
        carried.forEach(out.registers()::defineAll);
        move(carried, initial);
    }

    private void finish(List<Reg> results, List<Reg> carried) {
        for (int i = 0; i < results.size(); i++) {
            out.registers().alias(results.get(i), carried.get(i));
        }
    }

    /** Moves all at once: a register that is still to be read is first kept where it is not overwritten. */
    private void move(List<Reg> to, List<Reg> from) {
        List<String> targets = new ArrayList<>();
        List<String> sources = new ArrayList<>();
        List<PtxRegisters.Kind> kinds = new ArrayList<>();
        for (int i = 0; i < to.size(); i++) {
            List<String> names = out.registers().all(to.get(i));
            List<String> values = names.size() == 1 ? List.of(value(from.get(i))) : out.registers().all(from.get(i));
            targets.addAll(names);
            sources.addAll(values);
            for (int k = 0; k < names.size(); k++) {
                kinds.add(PtxRegisters.kind(to.get(i)));
            }
        }
        for (int i = 0; i < sources.size(); i++) {
            int at = targets.indexOf(sources.get(i));
            if (at >= 0 && at < i) {
                String kept = out.registers().fresh(kinds.get(i));
                out.line("mov" + kinds.get(i).moved(), kept, sources.get(i));
                sources.set(i, kept);
            }
        }
        for (int i = 0; i < targets.size(); i++) {
            if (!targets.get(i).equals(sources.get(i))) {
                out.line("mov" + kinds.get(i).moved(), targets.get(i), sources.get(i));
            }
        }
    }

    /** A value as {@code mov} takes it: predicates have no literals. */
    private String value(Reg r) {
        return r.type() == ScalarType.BOOL ? out.register(r) : out.operand(r);
    }
}
