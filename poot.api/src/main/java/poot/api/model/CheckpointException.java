package poot.api.model;

import java.nio.file.Path;
import poot.api.graph.Fault;

/** The files of a checkpoint cannot be read as what they claim to be. */
public final class CheckpointException extends LoadException {
    private static final long serialVersionUID = 1L;

    /** What is wrong with a file. */
    public sealed interface CheckpointFault extends Fault {
        /** The file at fault. */
        Path file();
    }

    /** A file that must be there is not. */
    public record Absent(Path file, String needed) implements CheckpointFault {
        @Override
        public String message() {
            return file + ": not found; " + needed;
        }
    }

    /** The platform could not read the file. */
    public record Unreadable(Path file, String reason) implements CheckpointFault {
        @Override
        public String message() {
            return file + ": cannot be read: " + reason;
        }
    }

    /** The bytes break the format's rules; {@code where} names the header, key or tensor. */
    public record Malformed(Path file, String where, String reason) implements CheckpointFault {
        @Override
        public String message() {
            return file + ": " + where + ": " + reason;
        }
    }

    /** The file is well formed but uses something poot has no reader for; {@code where} names the key or tensor. */
    public record Unsupported(Path file, String where, String what) implements CheckpointFault {
        @Override
        public String message() {
            return file + ": " + where + ": " + what + " is not supported";
        }
    }

    private final transient CheckpointFault fault;

    /** An exception carrying the given facts. */
    public CheckpointException(CheckpointFault fault) {
        super(fault);
        this.fault = fault;
    }

    /** An exception carrying the given facts and what raised it. */
    public CheckpointException(CheckpointFault fault, Throwable cause) {
        super(fault, cause);
        this.fault = fault;
    }

    @Override
    public CheckpointFault fault() {
        return fault;
    }
}
