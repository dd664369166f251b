package poot.parity;

/** Experts by the processor. */
class ExpertParityTest extends ExpertSuite {
    ExpertParityTest() {
        super(new Judge(CpuJudge::open));
    }
}
