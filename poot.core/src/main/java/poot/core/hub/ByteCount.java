package poot.core.hub;

import java.util.Locale;

/** Amounts of bytes as people read them. */
public final class ByteCount {
    private static final String[] UNITS = {"bytes", "KB", "MB", "GB", "TB", "PB", "EB"};

    private ByteCount() {}

    /** {@code 512 bytes}, {@code 4.7 GB}: three digits, in powers of 1000 as disks and the hub count. */
    public static String text(long bytes) {
        double value = bytes;
        int unit = 0;
        while (Math.abs(value) >= 999.5 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return unit == 0 ? bytes + (bytes == 1 ? " byte" : " bytes")
                : String.format(Locale.ROOT, value < 9.95 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
    }
}
