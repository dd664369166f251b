package poot.core.compile;

import java.util.Objects;
import poot.api.executor.Fusion;

/**
 * What a caller may ask of the compiler.
 *
 * @param verify whether the graph is verified after every pass and the plan after every change
 * @param fusion how far equations are joined into kernels
 */
public record CompileOptions(boolean verify, Fusion fusion) {
    /** No verification between passes. */
    public static final CompileOptions DEFAULT = new CompileOptions(false);

    /** Everything verified; for tests. */
    public static final CompileOptions VERIFIED = new CompileOptions(true);

    public CompileOptions {
        Objects.requireNonNull(fusion);
    }

    /** Full fusion. */
    public CompileOptions(boolean verify) {
        this(verify, Fusion.FULL);
    }

    /** With another fusion. */
    public CompileOptions withFusion(Fusion other) {
        return new CompileOptions(verify, other);
    }
}
