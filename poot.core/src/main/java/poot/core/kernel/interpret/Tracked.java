package poot.core.kernel.interpret;

import poot.core.kernel.device.DeviceMemory;

/** Memory of an interpreted device. */
interface Tracked {
    /** Its bytes. */
    TrackedMemory tracked();

    /** Memory as this device knows it; IllegalArgumentException of another device's, IllegalStateException of memory given back. */
    static Tracked of(DeviceMemory memory) {
        if (memory instanceof Tracked t) {
            if (!t.tracked().bytes().scope().isAlive()) {
                throw new IllegalStateException(memory.what() + " was given back: keep memory as long as its recordings");
            }
            return t;
        }
        throw new IllegalArgumentException(memory.what() + " is memory of another device: use memory of this one");
    }
}
