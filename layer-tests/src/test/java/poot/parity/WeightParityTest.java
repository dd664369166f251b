package poot.parity;

/** Products with, rows of, and values from weights of every one-part encoding, read as stored. */
class WeightParityTest extends WeightSuite {
    WeightParityTest() {
        super(new Judge(CpuJudge::open), true);
    }
}
