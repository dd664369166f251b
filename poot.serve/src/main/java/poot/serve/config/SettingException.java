package poot.serve.config;

import java.util.Objects;
import poot.api.graph.Fault;

/** A setting is refused. */
public final class SettingException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public sealed interface SettingFault extends Fault {}

    /** A value that is none of those allowed; {@code source} says where it was given. */
    public record BadValue(String setting, String source, String value, String allowed) implements SettingFault {
        @Override
        public String message() {
            return setting + " (" + source + ") is \"" + value + "\"; give " + allowed;
        }
    }

    /** A name no setting has. */
    public record Unknown(String name, String source) implements SettingFault {
        @Override
        public String message() {
            return source + ": there is no setting \"" + name + "\"; see poot serve --help";
        }
    }

    /** A file that cannot be read. */
    public record Unreadable(String setting, String file, String why) implements SettingFault {
        @Override
        public String message() {
            return setting + ": " + file + " cannot be read: " + why;
        }
    }

    private final transient SettingFault fault;

    /** An exception carrying the given facts. */
    public SettingException(SettingFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** An exception carrying the given facts and what raised it. */
    public SettingException(SettingFault fault, Throwable cause) {
        super(Objects.requireNonNull(fault).message(), cause);
        this.fault = fault;
    }

    /** The facts. */
    public SettingFault fault() {
        return fault;
    }
}
