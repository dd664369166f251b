package poot.parity;

/** Random graphs on the CPU. */
class RandomParityTest extends RandomSuite {
    RandomParityTest() {
        super(new Judge(CpuJudge::open), 60);
    }
}
