package poot.api.model;

import java.nio.file.Path;
import poot.api.graph.Fault;

/** A configuration value is missing, of the wrong kind, or asks for something the family cannot trace. */
public final class ConfigException extends LoadException {
    private static final long serialVersionUID = 1L;

    /** What is wrong with a configuration. */
    public sealed interface ConfigFault extends Fault {
        /** The file the configuration came from. */
        Path file();

        /** The full key, dots between nested names. */
        String key();
    }

    /** A key that must be there is not. */
    public record Missing(Path file, String key) implements ConfigFault {
        @Override
        public String message() {
            return file + ": missing key \"" + key + "\"";
        }
    }

    /** A value is of the wrong kind or outside its range. */
    public record Invalid(Path file, String key, String value, String expected) implements ConfigFault {
        @Override
        public String message() {
            return file + ": key \"" + key + "\" is " + value + "; expected " + expected;
        }
    }

    /** A value is well formed but asks for a function the family does not trace. */
    public record Unsupported(Path file, String key, String value, String reason) implements ConfigFault {
        @Override
        public String message() {
            return file + ": key \"" + key + "\" = " + value + " is not supported: " + reason;
        }
    }

    /** A key nobody read, which may change the function of the model. */
    public record Unknown(Path file, String key, String value) implements ConfigFault {
        @Override
        public String message() {
            return file + ": unknown key \"" + key + "\" = " + value
                    + "; it may change what the model computes, so the checkpoint is refused";
        }
    }

    private final transient ConfigFault fault;

    /** An exception carrying the given facts. */
    public ConfigException(ConfigFault fault) {
        super(fault);
        this.fault = fault;
    }

    @Override
    public ConfigFault fault() {
        return fault;
    }
}
