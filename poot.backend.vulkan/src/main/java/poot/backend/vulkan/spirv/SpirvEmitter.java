package poot.backend.vulkan.spirv;

import java.util.List;
import java.util.stream.Stream;
import poot.core.kernel.ir.AtomicOp;
import poot.core.kernel.ir.Block;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Place;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * Writes a valid kernel as a SPIR-V module (specification 1.6, Vulkan memory model, 64-bit physical storage buffer
 * addresses): one function, registers as results, flow as it is structured.
 */
public final class SpirvEmitter {
    private final DeviceKernel kernel;
    private final SpirvTarget target;
    private final Scan scan;
    private final Writer w;
    private final Types types;
    private final Entry entry;
    private final Arithmetic arithmetic;
    private final Conversions conversions;
    private final GlobalMemory global;
    private final SharedMemory shared;
    private final Lanes lanes;
    private final Matrices matrices;
    private final Flow flow;

    private SpirvEmitter(DeviceKernel kernel, SpirvTarget target) {
        this.kernel = kernel;
        this.target = target;
        this.scan = Scan.of(kernel);
        this.w = new Writer(new SpirvModule());
        this.types = w.types();
        this.entry = new Entry(w, kernel, scan.subgroups());
        this.arithmetic = new Arithmetic(w, target);
        this.conversions = new Conversions(w, target.halfConversions());
        this.global = new GlobalMemory(w, conversions, kernel);
        this.shared = new SharedMemory(w, conversions, kernel);
        this.lanes = new Lanes(w);
        this.matrices = new Matrices(w, global, shared);
        this.flow = new Flow(w, this::instructions);
    }

    /** {@code kernel}, which must be valid, for {@code target}. */
    public static SpirvCode emit(DeviceKernel kernel, SpirvTarget target) {
        return new SpirvEmitter(kernel, target).emit();
    }

    private SpirvCode emit() {
        SpirvModule module = w.module();
        module.capability(Spirv.CAPABILITY_SHADER);
        module.capability(Spirv.CAPABILITY_PHYSICAL_STORAGE_BUFFER);
        module.capability(Spirv.CAPABILITY_VULKAN_MEMORY_MODEL);
        int function = module.id();
        module.names().op(Op.NAME, new int[] {function}, kernel.name());
        ParameterLayout layout = ParameterLayout.of(kernel.params(), target.pushBytes());
        module.code().op(Op.FUNCTION, types.nothing(), function, 0, types.function());
        w.open(module.id());
        entry.parameters(layout);
        scan.builtins().forEach(entry::builtin);
        instructions(kernel.body());
        w.effect(Op.RETURN);
        w.effect(Op.FUNCTION_END);
        modes(function);
        int[] interfaces = Stream.concat(entry.variables().stream(), shared.variables().stream()).mapToInt(Integer::intValue).toArray();
        return new SpirvCode(module.words(function, SpirvCode.ENTRY_POINT, interfaces), layout, scan.subgroups());
    }

    private void modes(int function) {
        SpirvModule module = w.module();
        module.modes().op(Op.EXECUTION_MODE, function, Spirv.MODE_LOCAL_SIZE, kernel.workgroup(), 1, 1);
        if (target.keepsSpecials()) {
            module.capability(Spirv.CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE);
            module.modes().op(Op.EXECUTION_MODE, function, Spirv.MODE_SIGNED_ZERO_INF_NAN_PRESERVE, 32);
        }
        if (target.halfConversions()) {
            module.capability(Spirv.CAPABILITY_DENORM_PRESERVE);
            module.capability(Spirv.CAPABILITY_ROUNDING_MODE_RTE);
            module.modes().op(Op.EXECUTION_MODE, function, Spirv.MODE_DENORM_PRESERVE, 16);
            module.modes().op(Op.EXECUTION_MODE, function, Spirv.MODE_ROUNDING_RTE, 16);
        }
    }

    private void instructions(Block block) {
        for (Instruction i : block.instructions()) {
            instruction(i);
        }
    }

    private void instruction(Instruction instruction) {
        switch (instruction) {
            case Instruction.Constant i -> w.set(i.result(), constant(i));
            case Instruction.ReadBuiltin i -> w.set(i.result(), entry.builtin(i.builtin()));
            case Instruction.Unary i -> w.set(i.result(), arithmetic.unary(i));
            case Instruction.Binary i -> w.set(i.result(), arithmetic.binary(i));
            case Instruction.Compare i -> w.set(i.result(), arithmetic.compare(i));
            case Instruction.Fma i -> w.set(i.result(), arithmetic.fma(i));
            case Instruction.Select i -> w.set(i.result(), arithmetic.select(i));
            case Instruction.Convert i -> w.set(i.result(), conversions.convert(i));
            case Instruction.Dot4 i -> w.set(i.result(), arithmetic.dot4(i));
            case Instruction.Advance i -> w.set(i.result(), global.advance(i));
            case Instruction.Load i -> load(i);
            case Instruction.Store i -> store(i);
            case Instruction.Atomic i -> w.set(i.result(), atomic(i));
            case Instruction.Barrier _ -> barrier();
            case Instruction.SubgroupReduce i -> w.set(i.result(), lanes.reduce(i));
            case Instruction.Shuffle i -> w.set(i.result(), lanes.shuffle(i));
            case Instruction.ShuffleXor i -> w.set(i.result(), lanes.shuffleXor(i));
            case Instruction.Broadcast i -> w.set(i.result(), lanes.broadcast(i));
            case Instruction.CopyAsync i -> shared.storeWords(i.to(), global.words(i.from(), i.bytes() / Integer.BYTES));
            case Instruction.CommitCopies _, Instruction.AwaitCopies _ -> { }
            case Instruction.FragmentFill i -> w.set(i.result(), matrices.fill(i));
            case Instruction.FragmentLoad i -> w.set(i.result(), matrices.load(i));
            case Instruction.FragmentMultiply i -> w.set(i.result(), matrices.multiply(i));
            case Instruction.FragmentStore i -> matrices.store(i);
            case Instruction.If i -> flow.branch(i);
            case Instruction.For i -> flow.loop(i);
            case Instruction.While i -> flow.loop(i);
        }
    }

    private int constant(Instruction.Constant i) {
        return i.result().type() == ScalarType.BOOL ? types.bool(i.bits() != 0)
                : i.result().type() == ScalarType.F32 ? types.f32Bits(i.bits()) : types.u32(i.bits());
    }

    private void load(Instruction.Load i) {
        List<Reg> results = i.results();
        int[] values = switch (i.place()) {
            case Place.Global g -> global.load(g, results.size());
            case Place.Shared s -> shared.load(s, results.size());
        };
        for (int n = 0; n < values.length; n++) {
            w.set(results.get(n), values[n]);
        }
    }

    private void store(Instruction.Store i) {
        switch (i.place()) {
            case Place.Global g -> global.store(g, w.get(i.values()));
            case Place.Shared s -> shared.store(s, w.get(i.values()));
        }
    }

    private int atomic(Instruction.Atomic i) {
        int pointer = switch (i.place()) {
            case Place.Global g -> global.pointer(g);
            case Place.Shared s -> shared.pointer(s, 0);
        };
        int scope = types.u32(i.place() instanceof Place.Global ? Spirv.SCOPE_QUEUE_FAMILY : Spirv.SCOPE_WORKGROUP);
        return w.op(atomicOp(i.op()), types.u32(), pointer, scope, types.u32(0), w.get(i.value()));
    }

    private static int atomicOp(AtomicOp op) {
        return switch (op) {
            case ADD -> Op.ATOMIC_I_ADD;
            case MAX -> Op.ATOMIC_U_MAX;
            case OR -> Op.ATOMIC_OR;
        };
    }

    private void barrier() {
        int workgroup = types.u32(Spirv.SCOPE_WORKGROUP);
        w.effect(Op.CONTROL_BARRIER, workgroup, workgroup, types.u32(Spirv.SEMANTICS_ACQUIRE_RELEASE
                | Spirv.SEMANTICS_UNIFORM_MEMORY | Spirv.SEMANTICS_WORKGROUP_MEMORY
                | Spirv.SEMANTICS_MAKE_AVAILABLE | Spirv.SEMANTICS_MAKE_VISIBLE));
    }
}
