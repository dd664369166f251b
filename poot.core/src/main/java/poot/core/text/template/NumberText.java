package poot.core.text.template;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Floats in Python's spellings. Rounding is exact, half to even. */
final class NumberText {
    private NumberText() { }

    /** {@code repr(real)}: the shortest digits that read back as the same float. */
    static String repr(double real) {
        if (Double.isNaN(real) || Double.isInfinite(real)) {
            return special(real);
        }
        if (real == 0) {
            return 1 / real < 0 ? "-0.0" : "0.0";
        }
        BigDecimal shortest = new BigDecimal(Double.toString(real)).stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent < -4 || exponent >= 16) {
            return scientific(shortest, exponent);
        }
        String plain = shortest.toPlainString();
        return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }

    private static String special(double real) {
        return Double.isNaN(real) ? "nan" : real < 0 ? "-inf" : "inf";
    }

    /** A decimal's digits with an exponent of at least two digits. */
    private static String scientific(BigDecimal decimal, int exponent) {
        String digits = decimal.unscaledValue().abs().toString();
        String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        return (decimal.signum() < 0 ? "-" : "") + mantissa + exponentText(exponent);
    }

    private static String exponentText(int exponent) {
        return "e" + (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    /**
     * The float by one of printf's conversions, with its sign.
     *
     * @param conversion e, f or g, or its capital
     * @param precision  digits after the point (e, f) or in all (g)
     * @param alternate  keep g's trailing zeros
     */
    static String format(double real, char conversion, int precision, boolean alternate) {
        boolean upper = Character.isUpperCase(conversion);
        String text = Double.isNaN(real) || Double.isInfinite(real) ? special(real)
            : switch (Character.toLowerCase(conversion)) {
                case 'e' -> exponential(real, precision);
                case 'g' -> general(real, Math.max(1, precision), alternate);
                default -> negativeZero(real, new BigDecimal(real).setScale(precision, RoundingMode.HALF_EVEN).toPlainString());
            };
        return upper ? text.toUpperCase(Locale.ROOT) : text;
    }

    private static String negativeZero(double real, String text) {
        return (real < 0 || real == 0 && 1 / real < 0) && !text.startsWith("-") ? "-" + text : text;
    }

    private static String exponential(double real, int precision) {
        if (real == 0) {
            return negativeZero(real, "0" + (precision > 0 ? "." + "0".repeat(precision) : "") + "e+00");
        }
        BigDecimal rounded = new BigDecimal(real).round(new MathContext(precision + 1, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        return scientific(rounded.setScale(precision - exponent, RoundingMode.UNNECESSARY), exponent);
    }

    private static String general(double real, int precision, boolean alternate) {
        BigDecimal rounded = new BigDecimal(real).round(new MathContext(precision, RoundingMode.HALF_EVEN));
        int exponent = real == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
        if (exponent < -4 || exponent >= precision) {
            String text = exponential(real, precision - 1);
            int e = text.indexOf('e');
            return alternate ? text : trimZeros(text.substring(0, e)) + text.substring(e);
        }
        String plain = negativeZero(real, rounded.setScale(precision - 1 - exponent, RoundingMode.HALF_EVEN).toPlainString());
        return alternate ? plain : trimZeros(plain);
    }

    private static String trimZeros(String text) {
        if (text.indexOf('.') < 0) {
            return text;
        }
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }

    /** The digits of a number with a separator between groups of three before the point. */
    static String grouped(String digits, char separator) {
        int whole = 0;
        while (whole < digits.length() && Character.isDigit(digits.charAt(whole))) {
            whole++;
        }
        StringBuilder out = new StringBuilder(digits);
        for (int i = whole - 3; i > 0; i -= 3) {
            out.insert(i, separator);
        }
        return out.toString();
    }
}
