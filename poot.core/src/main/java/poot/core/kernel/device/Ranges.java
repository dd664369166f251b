package poot.core.kernel.device;

/** Ranges of memory that commands name. */
final class Ranges {
    private Ranges() {}

    static void require(DeviceMemory memory, long offset, long bytes) {
        if (offset < 0 || bytes <= 0 || offset > memory.bytes() - bytes) {
            throw new IllegalArgumentException(bytes + " bytes at " + offset + " of " + memory.what() + ", which has " + memory.bytes()
                    + ": stay within it");
        }
        if (((offset | bytes) & 3) != 0) {
            throw new IllegalArgumentException(bytes + " bytes at " + offset + " of " + memory.what() + ": use multiples of 4");
        }
    }
}
