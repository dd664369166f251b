package poot.quant;

import poot.step.Backend;

/** Every packed format through the CPU's matrix product. */
class PackedProductTest extends PackedProductSuite {
    PackedProductTest() {
        super(Backend.CPU::open);
    }
}
