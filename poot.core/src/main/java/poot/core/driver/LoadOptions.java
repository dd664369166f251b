package poot.core.driver;

import java.util.Objects;

/**
 * What a caller may ask of loading.
 *
 * @param text whether the checkpoint's text services are built
 */
public record LoadOptions(Text text) {
    /** Text services are required. */
    public static final LoadOptions DEFAULT = new LoadOptions(Text.REQUIRED);

    /** Whether text services are built. */
    public enum Text {
        /** A checkpoint without a tokenizer is refused. */
        REQUIRED,
        /** They are built if there is a tokenizer. */
        IF_PRESENT,
        /** The tokenizer is not looked at. */
        NONE
    }

    public LoadOptions {
        Objects.requireNonNull(text);
    }
}
