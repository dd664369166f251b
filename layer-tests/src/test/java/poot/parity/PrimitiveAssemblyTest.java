package poot.parity;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** NVIDIA's assembler takes the kernels of every primitive. */
class PrimitiveAssemblyTest extends PrimitiveSuite {
    private static final Assembling KERNELS = new Assembling();

    PrimitiveAssemblyTest() {
        super(KERNELS, new int[] {1, 3, 8, 17, 33, 65}, false);
    }

    @BeforeAll
    static void begin() {
        KERNELS.begin();
    }

    @AfterAll
    static void assemble() throws IOException {
        KERNELS.end("primitives");
    }
}
