package poot.core.kernel.ir;

/** A kernel that breaks a rule of the language: a mistake of what wrote it, not of a device or its user. */
public final class InvalidKernelException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private final String what;
    private final String remedy;

    /** What is wrong and what to write instead. */
    public InvalidKernelException(String what, String remedy) {
        super(what + ": " + remedy);
        this.what = what;
        this.remedy = remedy;
    }

    /** What is wrong, and where. */
    public String what() {
        return what;
    }

    /** What to write instead. */
    public String remedy() {
        return remedy;
    }
}
