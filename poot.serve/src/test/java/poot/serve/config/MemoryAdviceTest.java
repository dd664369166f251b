package poot.serve.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import poot.api.driver.PrepareFault;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.MemoryLeft;
import poot.api.graph.Fault;

class MemoryAdviceTest {
    /** What was asked for, what there is, and the settings that take less, wherever the fault came up. */
    @Test
    void memoryComesWithTheSettingsThatTakeLess() {
        OutOfMemory fault = new OutOfMemory("weight a", 3L << 30, Optional.of(new MemoryLeft("a device", 24L << 30, 2L << 30)));
        for (Fault f : new Fault[] {fault, new PrepareFault.Device("step", fault), new PrepareFault.TooManyBytes("step", 1, 2)}) {
            String said = MemoryAdvice.message(f);
            assertTrue(said.startsWith(f.message() + ": ") && said.contains("--context") && said.contains("--running")
                    && said.contains("--kv f16 or q8_0") && said.contains("--backend") && said.contains("POOT_NAME_DEVICE"), said);
        }
        assertTrue(fault.message().startsWith("not enough memory for weight a: 3.0 GiB (3221225472 bytes), 2.0 GiB of the 24.0 GiB of a device"
                + " are free; "), fault.message());
    }

    @Test
    void otherFaultsAreAsTheyAre() {
        Fault f = new PrepareFault.Device("step", new Mismatch("no weight w"));
        assertEquals(f.message(), MemoryAdvice.message(f));
    }
}
