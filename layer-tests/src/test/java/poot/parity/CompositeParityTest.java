package poot.parity;

/** Every composite the CPU claims is its body. */
class CompositeParityTest extends CompositeSuite {
    CompositeParityTest() {
        super(new Judge(CpuJudge::open), true);
    }
}
