package poot.core.kernel.plan;

import java.util.Objects;
import poot.core.kernel.device.DeviceMemory;

/** Memory by what it is for. Two homes are different memory. */
public sealed interface Home {
    /** Memory of an entry. */
    enum Area implements Home {
        /** The values the compiler placed. */
        ARENA,
        /** Values it did not place, each within one kernel. */
        SCRATCH,
        /** Slots, on the device. */
        SLOTS,
        /** Slots, where the host writes them. */
        HOST_SLOTS,
        /** Literals. */
        LITERALS,
        /** Outputs and validations, where the host reads them. */
        HOST_OUTPUTS
    }

    /** A carried state, which a run names. */
    record State(String name) implements Home {
        public State {
            Objects.requireNonNull(name);
        }
    }

    /** Memory that stays: of a weight. */
    record Resident(DeviceMemory memory) implements Home {
        public Resident {
            Objects.requireNonNull(memory);
        }
    }
}
