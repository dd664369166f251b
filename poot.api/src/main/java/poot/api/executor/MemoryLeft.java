package poot.api.executor;

import java.util.Locale;
import java.util.Objects;

/**
 * Memory of a device, or of the host, at one moment.
 *
 * @param place whose it is, as its owner calls it
 * @param total bytes of it that one may use
 * @param free  bytes of those that nobody holds
 */
public record MemoryLeft(String place, long total, long free) {
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    public MemoryLeft {
        Objects.requireNonNull(place, "place");
    }

    /** Bytes for a reader: {@code 17.3 GiB}, below 1024 {@code 12 bytes}. */
    public static String readable(long bytes) {
        double v = bytes;
        int unit = -1;
        while (v >= 1024 && unit < UNITS.length - 1) {
            v /= 1024;
            unit++;
        }
        return unit < 0 ? bytes + " bytes" : String.format(Locale.ROOT, "%.1f %s", v, UNITS[unit]);
    }

    /** {@code 1.2 GiB of the 24.0 GiB of NAME are free}. */
    @Override
    public String toString() {
        return readable(free) + " of the " + readable(total) + " of " + place + " are free";
    }
}
