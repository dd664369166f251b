package poot.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.backend.cuda.kernels.KernelCase;
import poot.backend.cuda.kernels.RandomKernels;
import poot.backend.cuda.ptx.PtxTarget;

/** Kernels nobody wrote: PTX on the test driver against the kernels' own interpreter, and through NVIDIA's assembler. */
class RandomParityTest {
    private static final int SEEDS = Integer.getInteger("poot.cuda.seeds", 60);

    @Test
    void theSameOnBoth() throws ExecutorException {
        for (long seed = 0; seed < SEEDS; seed++) {
            KernelParityTest.check(RandomKernels.of(seed), seed % 2 == 0 ? 75 : 90);
        }
    }

    @Test
    void assembled() throws IOException {
        assumeTrue(Assembler.find().isPresent(), "no ptxas on this machine: kernels are not assembled");
        var kernels = LongStream.range(0, SEEDS).mapToObj(RandomKernels::of).map(KernelCase::kernel).toList();
        assertEquals(SEEDS, Assembler.assemble(kernels, PtxTarget.of(75, 13000).orElseThrow()).size());
    }
}
