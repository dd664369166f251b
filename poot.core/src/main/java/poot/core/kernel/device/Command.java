package poot.core.kernel.device;

import java.util.Objects;

/** One step of a recording. */
public sealed interface Command permits Launch, Command.Copy, Command.Fill {
    /** Whether it must see what all commands before it wrote, and they must have read what it overwrites: a barrier before it. */
    boolean after();

    /** Copies {@code bytes} from one memory to another; the ranges do not overlap. Offsets and bytes are multiples of 4. */
    record Copy(DeviceMemory from, long fromOffset, DeviceMemory to, long toOffset, long bytes, boolean after) implements Command {
        public Copy {
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            Ranges.require(from, fromOffset, bytes);
            Ranges.require(to, toOffset, bytes);
            if (from == to && fromOffset < toOffset + bytes && toOffset < fromOffset + bytes) {
                throw new IllegalArgumentException("a copy within " + from.what() + " whose ranges overlap: copy through other memory");
            }
        }
    }

    /** Zeroes {@code bytes}. Offset and bytes are multiples of 4. */
    record Fill(DeviceMemory to, long offset, long bytes, boolean after) implements Command {
        public Fill {
            Objects.requireNonNull(to, "to");
            Ranges.require(to, offset, bytes);
        }
    }
}
