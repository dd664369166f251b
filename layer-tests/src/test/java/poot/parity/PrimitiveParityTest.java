package poot.parity;

/** Every primitive on the CPU is what the oracle says. */
class PrimitiveParityTest extends PrimitiveSuite {
    PrimitiveParityTest() {
        super(new Judge(CpuJudge::open), new int[] {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 127, 1025}, true);
    }
}
