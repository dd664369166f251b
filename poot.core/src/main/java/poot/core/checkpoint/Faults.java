package poot.core.checkpoint;

import java.nio.file.Path;
import poot.api.model.CheckpointException;

/** The refusals of the readers, in one line each. */
final class Faults {
    private Faults() {}

    static CheckpointException malformed(Path file, String where, String reason) {
        return new CheckpointException(new CheckpointException.Malformed(file, where, reason));
    }

    static CheckpointException unsupported(Path file, String where, String what) {
        return new CheckpointException(new CheckpointException.Unsupported(file, where, what));
    }

    static CheckpointException absent(Path file, String needed) {
        return new CheckpointException(new CheckpointException.Absent(file, needed));
    }

    static CheckpointException unreadable(Path file, Exception cause) {
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new CheckpointException(new CheckpointException.Unreadable(file, reason), cause);
    }

    /** {@code tensor "name"}, shortened and with control characters made visible. */
    static String tensor(String name) {
        return "tensor " + quote(name);
    }

    /** {@code key "name"}, shortened and with control characters made visible. */
    static String key(String name) {
        return "key " + quote(name);
    }

    private static String quote(String name) {
        StringBuilder out = new StringBuilder("\"");
        int shown = Math.min(name.length(), 120);
        for (int i = 0; i < shown; i++) {
            char c = name.charAt(i);
            if (Character.isISOControl(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append(shown < name.length() ? "...\"" : "\"").toString();
    }
}
