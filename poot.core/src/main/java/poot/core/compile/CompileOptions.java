package poot.core.compile;

/**
 * What a caller may ask of the compiler.
 *
 * @param verify whether the graph is verified after every pass and the finished plan before it is returned
 */
public record CompileOptions(boolean verify) {
    /** No verification between passes. */
    public static final CompileOptions DEFAULT = new CompileOptions(false);

    /** Everything verified; for tests. */
    public static final CompileOptions VERIFIED = new CompileOptions(true);
}
