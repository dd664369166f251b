package poot.core.text.regex;

/** A compiled pattern, immutable and safe to share between threads. */
public final class TextPattern {
    private final String source;
    private final Program program;

    private TextPattern(String source, Program program) {
        this.source = source;
        this.program = program;
    }

    /** Compiles a pattern in Oniguruma's spelling; what it cannot express is refused. */
    public static TextPattern compile(String pattern) throws RegexException {
        return new TextPattern(pattern, PatternCompiler.compile(PatternParser.parse(pattern)));
    }

    /** The pattern that matches exactly this text, which must not be empty. */
    public static TextPattern literal(String text) throws RegexException {
        return compile(text.codePoints().collect(StringBuilder::new, (b, c) -> {
            boolean plain = c >= 128 || Character.isLetterOrDigit(c);
            b.append(plain ? "" : "\\").appendCodePoint(c);
        }, StringBuilder::append).toString());
    }

    /** Starts a walk over text[from..to); nothing outside those bounds is seen. */
    public PatternScan scan(char[] text, int from, int to) {
        return new PatternScan(program, source, text, from, to);
    }

    /** The pattern as written. */
    public String source() {
        return source;
    }

    @Override
    public String toString() {
        return source;
    }
}
