package poot.step;

import java.util.Locale;
import poot.api.executor.Fusion;
import poot.core.compile.CompileOptions;

/**
 * How the process under test compiles steps: everything verified, fused as the property {@code poot.fusion} says
 * ({@code off}, {@code pointwise}, {@code full}; {@code full} where it is absent). What a backend reads for itself
 * ({@code poot.cpu.emit}, the width of vectors) needs no place here.
 */
public final class Mode {
    private Mode() {}

    /** The options of this process. */
    public static CompileOptions compile() {
        return CompileOptions.VERIFIED.withFusion(Fusion.valueOf(System.getProperty("poot.fusion", "full").toUpperCase(Locale.ROOT)));
    }
}
