package poot.backend.cuda.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import poot.core.kernel.ir.Capability;

/** Which PTX is written for which device and driver. */
class PtxTargetTest {
    @ParameterizedTest
    @CsvSource({
        // device, driver, target, PTX
        "75, 13000, 75, 65", "80, 13000, 80, 70", "86, 13000, 86, 71", "89, 13000, 89, 78", "90, 13000, 90, 78", "120, 13000, 120, 87",
        // a device newer than what the driver, or this table, knows runs text for an older one
        "90, 11000, 80, 70", "120, 12040, 90, 78", "130, 13020, 121, 88", "88, 13000, 87, 74", "75, 10020, 75, 65",
    })
    void theNewestThatTheDriverAssembles(int device, int driver, int target, int version) {
        assertEquals(Optional.of(new PtxTarget(target, version / 10, version % 10)), PtxTarget.of(device, driver));
    }

    @Test
    void tooOld() {
        assertEquals(Optional.empty(), PtxTarget.of(70, 13000));
        assertEquals(Optional.empty(), PtxTarget.of(75, 10010));
    }

    @Test
    void capabilitiesFollow() {
        assertFalse(PtxTarget.of(75, 13000).orElseThrow().capabilities().contains(Capability.MATRIX_BF16));
        assertTrue(PtxTarget.of(80, 13000).orElseThrow().capabilities().containsAll(List.of(Capability.values())));
    }
}
