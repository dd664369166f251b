package poot.core.text.regex;

/** A pattern cannot be compiled: it is malformed, or uses something this engine has no meaning for. */
public final class RegexException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int offset;
    private final boolean unsupported;

    RegexException(int offset, String reason, boolean unsupported) {
        super(reason + " at offset " + offset);
        this.offset = offset;
        this.unsupported = unsupported;
    }

    /** Where in the pattern, in UTF-16 units. */
    public int offset() {
        return offset;
    }

    /** True where the pattern is well formed but asks for a feature that is not here. */
    public boolean unsupported() {
        return unsupported;
    }
}
