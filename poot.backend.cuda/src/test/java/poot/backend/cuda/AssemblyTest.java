package poot.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.backend.cuda.kernels.FlowKernels;
import poot.backend.cuda.kernels.FragmentKernels;
import poot.backend.cuda.kernels.Instructions;
import poot.backend.cuda.kernels.KernelCase;
import poot.backend.cuda.kernels.MemoryKernels;
import poot.backend.cuda.ptx.PtxTarget;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.MemoryType;

/** NVIDIA's assembler takes what the emitter writes, for devices old and new. */
class AssemblyTest {
    private static final int DRIVER = 13000;

    @ParameterizedTest
    @ValueSource(ints = {75, 80, 90, 120})
    void everyInstructionIsAssembled(int capability) throws IOException {
        assumeTrue(Assembler.find().isPresent(), "no ptxas on this machine: kernels are not assembled");
        PtxTarget target = PtxTarget.of(capability, DRIVER).orElseThrow();
        assertEquals(capability, target.capability());
        List<KernelCase> cases = new ArrayList<>(Instructions.all());
        cases.addAll(MemoryKernels.all());
        cases.addAll(FlowKernels.all());
        for (MemoryType t : List.of(MemoryType.F16, MemoryType.I8, MemoryType.BF16)) {
            if (t != MemoryType.BF16 || capability >= 80) {
                cases.addAll(FragmentKernels.all(t));
            }
        }
        List<DeviceKernel> kernels = cases.stream().map(KernelCase::kernel).toList();
        Map<String, Assembler.Usage> usages = Assembler.assemble(kernels, target);
        assertEquals(kernels.size(), usages.size());
        Assembler.report("instructions-sm_" + capability, usages);
        assertTrue(usages.values().stream().allMatch(u -> u.spilled() == 0), usages.toString());
    }
}
