package poot.parity;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import poot.api.graph.Op;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Shape;
import poot.oracle.Tensor;

/** NVIDIA's assembler takes the kernels of every primitive. */
class PrimitiveAssemblyTest extends PrimitiveSuite {
    /** The size of a large vocabulary: what is this long takes several kernels. */
    private static final int LONG = 128_256;
    private static final Assembling KERNELS = new Assembling();

    PrimitiveAssemblyTest() {
        super(KERNELS, new int[] {1, 3, 8, 17, 33, 65}, false);
    }

    @BeforeAll
    static void begin() {
        KERNELS.begin();
    }

    @Test
    void alongAVocabulary() throws Exception {
        Tensor x = Tensor.f32(Shape.of(LONG), new float[LONG]);
        for (int k : new int[] {1, 40, LONG}) {
            KERNELS.op(new Op.TopK(k), 0, x);
        }
        KERNELS.op(new Op.ArgReduce(true, 0), 0, x);
        for (ReduceKind kind : ReduceKind.values()) {
            KERNELS.op(new Op.Reduce(kind, 0), 0, x);
            KERNELS.op(new Op.PrefixScan(kind, 0, true), 0, x);
        }
    }

    @AfterAll
    static void assemble() throws IOException {
        KERNELS.end("primitives");
    }
}
