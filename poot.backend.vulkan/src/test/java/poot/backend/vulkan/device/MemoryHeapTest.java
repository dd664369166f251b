package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import poot.api.executor.MemoryLeft;

class MemoryHeapTest {
    @Test
    void whatThisProcessHoldsIsNotLeft() {
        assertEquals(new MemoryLeft("d", 100, 70), new MemoryHeap(0, 100, 30).left("d", 10), "the driver counts more than poot");
        assertEquals(new MemoryLeft("d", 100, 90), new MemoryHeap(0, 100, -1).left("d", 10), "it does not count");
        assertEquals(new MemoryLeft("d", 100, 0), new MemoryHeap(0, 100, 120).left("d", 10), "others took what was promised");
    }
}
