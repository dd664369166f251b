package poot.backend.vulkan.spirv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A module's instructions, read back. */
record Module(int bound, List<Module.Read> instructions) {
    /** An instruction: what it is and the words after that. */
    record Read(int op, List<Integer> operands) {}

    static Module of(int[] words) {
        List<Read> all = new ArrayList<>();
        for (int at = 5; at < words.length; ) {
            int length = words[at] >>> 16;
            if (length == 0 || at + length > words.length) {
                throw new AssertionError("an instruction of " + length + " words at " + at + " of " + words.length);
            }
            all.add(new Read(words[at] & 0xffff, Arrays.stream(words, at + 1, at + length).boxed().toList()));
            at += length;
        }
        return new Module(words[3], all);
    }

    List<Read> all(int op) {
        return instructions.stream().filter(i -> i.op == op).toList();
    }

    /** The value of a constant of 32 bits. */
    int constant(int id) {
        return all(Op.CONSTANT).stream().filter(c -> c.operands.get(1) == id).findFirst().orElseThrow().operands.get(2);
    }

    boolean has(int capability) {
        return all(Op.CAPABILITY).stream().anyMatch(c -> c.operands.getFirst() == capability);
    }
}
