package poot.parity;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** NVIDIA's assembler takes the kernels of experts. */
class ExpertAssemblyTest extends ExpertSuite {
    private static final Assembling KERNELS = new Assembling();

    ExpertAssemblyTest() {
        super(KERNELS);
    }

    @BeforeAll
    static void begin() {
        KERNELS.begin();
    }

    @AfterAll
    static void assemble() throws IOException {
        KERNELS.end("experts");
    }
}
