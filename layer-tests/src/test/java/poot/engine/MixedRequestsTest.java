package poot.engine;

import poot.step.Backend;

/** A thousand requests to the CPU. */
class MixedRequestsTest extends MixedRequestsSuite {
    MixedRequestsTest() {
        super("poot-tiny-q8_0.gguf", new Load(1000, 200, 100, 16, 256, 17, 128, true), Backend.CPU::open);
    }
}
