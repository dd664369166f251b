package poot.quant;

import poot.step.Backend;

/** Every packed format through the CPU's products; rows enough for kernels that read many at once, and some over. */
class PackedProductTest extends PackedProductSuite {
    PackedProductTest() {
        super(Backend.CPU::open, 1, 9);
    }
}
