package poot.backend.vulkan.spirv;

import java.util.List;
import java.util.function.Consumer;
import poot.core.kernel.ir.Block;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * Ifs and loops as SPIR-V's structured flow. What blocks hand on joins in OpPhi; of a loop, whose header comes before the
 * values of its last pass, the words of those operands are filled in when its body is written.
 */
final class Flow {
    private final Writer w;
    private final Types types;
    private final Consumer<Block> instructions;

    /** @param instructions writes the instructions of a block */
    Flow(Writer w, Consumer<Block> instructions) {
        this.w = w;
        this.types = w.types();
        this.instructions = instructions;
    }

    void branch(Instruction.If i) {
        int then = w.module().id();
        int otherwise = w.module().id();
        int merge = w.module().id();
        w.effect(Op.SELECTION_MERGE, merge, 0);
        w.branch(w.get(i.condition()), then, otherwise);
        Ending yes = arm(then, i.then(), merge);
        Ending no = arm(otherwise, i.otherwise(), merge);
        w.open(merge);
        for (int n = 0; n < i.results().size(); n++) {
            Reg result = i.results().get(n);
            w.set(result, w.op(Op.PHI, w.type(result), yes.values[n], yes.block, no.values[n], no.block));
        }
    }

    /** What an arm yields, and the block it ends in. */
    private record Ending(int[] values, int block) {}

    private Ending arm(int label, Block block, int merge) {
        w.open(label);
        instructions.accept(block);
        Ending ending = new Ending(w.get(block.yields()), w.block());
        w.branch(merge);
        return ending;
    }

    void loop(Instruction.For i) {
        Header header = open(List.of(i.variable()), List.of(i.from()), i.carried(), i.initial());
        int variable = w.get(i.variable());
        boolean signed = i.variable().type() == ScalarType.I32;
        int goesOn = w.op(signed ? Op.S_LESS_THAN : Op.U_LESS_THAN, types.bool(), variable, w.get(i.to()));
        int body = w.module().id();
        w.effect(Op.LOOP_MERGE, header.merge, header.next, 0);
        w.branch(goesOn, body, header.merge);
        w.open(body);
        instructions.accept(i.body());
        int[] carried = w.get(i.body().yields());
        w.branch(header.next);
        w.open(header.next);
        int stepped = w.op(Op.I_ADD, types.u32(), variable, w.get(i.step()));
        int[] last = new int[carried.length + 1];
        last[0] = stepped;
        System.arraycopy(carried, 0, last, 1, carried.length);
        close(header, last, i.results(), i.carried());
    }

    void loop(Instruction.While i) {
        Header header = open(List.of(), List.of(), i.carried(), i.initial());
        int test = w.module().id();
        int body = w.module().id();
        w.effect(Op.LOOP_MERGE, header.merge, header.next, 0);
        w.branch(test);
        w.open(test);
        instructions.accept(i.condition());
        w.branch(w.get(i.condition().yields().getFirst()), body, header.merge);
        w.open(body);
        instructions.accept(i.body());
        int[] carried = w.get(i.body().yields());
        w.branch(header.next);
        w.open(header.next);
        close(header, carried, i.results(), i.carried());
    }

    /**
     * A loop's header.
     *
     * @param patches where, for each value carried, the word lies that names it after a pass
     */
    private record Header(int label, int merge, int next, int[] patches) {}

    private Header open(List<Reg> first, List<Reg> from, List<Reg> carried, List<Reg> initial) {
        int before = w.block();
        Header header = new Header(w.module().id(), w.module().id(), w.module().id(), new int[first.size() + carried.size()]);
        int[] starts = w.get(from);
        int[] initials = w.get(initial);
        w.branch(header.label);
        w.open(header.label);
        for (int n = 0; n < header.patches.length; n++) {
            boolean isFirst = n < first.size();
            Reg reg = isFirst ? first.get(n) : carried.get(n - first.size());
            int start = isFirst ? starts[n] : initials[n - first.size()];
            w.set(reg, w.op(Op.PHI, w.type(reg), start, before, 0, header.next));
            header.patches[n] = w.module().code().count() - 2;
        }
        return header;
    }

    private void close(Header header, int[] last, List<Reg> results, List<Reg> carried) {
        for (int n = 0; n < last.length; n++) {
            w.module().code().patch(header.patches[n], last[n]);
        }
        w.branch(header.label);
        w.open(header.merge);
        for (int n = 0; n < results.size(); n++) {
            w.set(results.get(n), w.get(carried.get(n)));
        }
    }
}
