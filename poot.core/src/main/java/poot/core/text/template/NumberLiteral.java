package poot.core.text.template;

/** A number in a template's source: where it ends, by Python's grammar. */
final class NumberLiteral {
    private final String source;
    private final int start;

    /** A literal whose first digit is at {@code start}. */
    NumberLiteral(String source, int start) {
        this.source = source;
        this.start = start;
    }

    /** Where the float ends, or -1 where neither a fraction nor an exponent follows the digits. */
    int floatEnd() {
        int whole = digits(start, 10);
        int i = whole;
        if (i < source.length() && source.charAt(i) == '.' && digits(i + 1, 10) > i + 1) {
            i = digits(i + 1, 10);
        }
        if (i < source.length() && (source.charAt(i) | 0x20) == 'e') {
            int e = i + 1;
            e += e < source.length() && (source.charAt(e) == '+' || source.charAt(e) == '-') ? 1 : 0;
            if (digits(e, 10) > e) {
                return digits(e, 10);
            }
        }
        return i > whole ? i : -1;
    }

    /** Where the integer ends: of a decimal that begins with 0, after its zeros. */
    int integerEnd() {
        int whole = digits(start, 10);
        if (source.charAt(start) != '0') {
            return whole;
        }
        if (start + 1 < source.length()) {
            int radix = switch (source.charAt(start + 1) | 0x20) {
                case 'b' -> 2;
                case 'o' -> 8;
                case 'x' -> 16;
                default -> 0;
            };
            if (radix > 0 && digits(start + 2, radix) > start + 2) {
                return digits(start + 2, radix);
            }
        }
        int i = start + 1;
        while (i < whole && (source.charAt(i) == '0' || source.charAt(i) == '_' && source.startsWith("0", i + 1))) {
            i++;
        }
        return i;
    }

    /** Where a run of digits with single underscores between them ends. */
    private int digits(int from, int radix) {
        int i = from;
        while (i < source.length() && (isDigit(i, radix) || i > from && source.charAt(i) == '_' && isDigit(i + 1, radix))) {
            i++;
        }
        return i;
    }

    private boolean isDigit(int i, int radix) {
        return i < source.length() && source.charAt(i) < 128 && Character.digit(source.charAt(i), radix) >= 0;
    }
}
