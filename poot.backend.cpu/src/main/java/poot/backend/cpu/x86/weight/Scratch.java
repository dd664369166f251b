package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/** What a step keeps beyond the registers that {@link Rows} names: vectors from RSP on, some of them in other registers. */
public final class Scratch {
    private final Simd.Code code;
    private final Map<Integer, Integer> taken = new HashMap<>();
    private final Map<Integer, Integer> held = new HashMap<>();

    Scratch(Simd.Code code) {
        this.code = code;
    }

    /** How often each vector is taken by what has been written. */
    public Map<Integer, Integer> taken() {
        return Collections.unmodifiableMap(taken);
    }

    /** A vector stands in a register, which nothing else may overwrite. */
    public void hold(int vector, int register) {
        held.put(vector, register);
    }

    private At at(int vector) {
        return At.of(Register.RSP, vector * code.simd().width());
    }

    void keep(int vector, int from) {
        if (held.containsKey(vector)) {
            code.op(VMOVUPS, held.get(vector), Assembler.NONE, from);
        } else {
            code.to().op(VMOVUPS_STORE, code.simd().width(), from, Assembler.NONE, at(vector));
        }
    }

    int take(int vector, int to) {
        taken.merge(vector, 1, Integer::sum);
        if (held.containsKey(vector)) {
            return held.get(vector);
        }
        code.to().op(VMOVUPS, code.simd().width(), to, Assembler.NONE, at(vector));
        return to;
    }
}
