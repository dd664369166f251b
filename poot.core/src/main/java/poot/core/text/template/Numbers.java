package poot.core.text.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/** Python's numbers: bool, int and float are one tower, compared and hashed by value. */
final class Numbers {
    private Numbers() { }

    static boolean isNumber(Object value) {
        return value instanceof Value.Bool || value instanceof Value.Int || value instanceof Value.Real;
    }

    /** The value of a bool or int; null for anything else. */
    static BigInteger integer(Value value) {
        return switch (value) {
            case Value.Int number -> number.value();
            case Value.Bool bool -> bool.value() ? BigInteger.ONE : BigInteger.ZERO;
            default -> null;
        };
    }

    /** A number as a float. */
    static double real(Run run, Value value) throws TemplateException {
        if (value instanceof Value.Real real) {
            return real.value();
        }
        BigInteger integer = integer(value);
        if (integer == null) {
            throw value instanceof Value.Undefined undefined ? run.undefined(undefined)
                : run.type("must be real number, not " + Names.type(value));
        }
        double real = integer.doubleValue();
        if (Double.isInfinite(real)) {
            throw run.failed(TemplateException.PythonError.OVERFLOW, "int too large to convert to float");
        }
        return real;
    }

    /** An int as an index or count, held to the range of int. */
    static int index(Run run, Value value) throws TemplateException {
        BigInteger integer = integer(value);
        if (integer == null) {
            throw value instanceof Value.Undefined undefined && undefined.unsafe() ? run.undefined(undefined)
                : run.type("'" + Names.type(value) + "' object cannot be interpreted as an integer");
        }
        return clamp(integer);
    }

    static int clamp(BigInteger integer) {
        return integer.bitLength() < 32 ? integer.intValue() : integer.signum() < 0 ? -Integer.MAX_VALUE : Integer.MAX_VALUE;
    }

    /** The order of two numbers: negative, 0 or positive; null where one is not a number or is NaN. */
    static Integer compare(Object left, Object right) {
        if (!isNumber(left) || !isNumber(right)) {
            return null;
        }
        BigInteger a = integer((Value) left);
        BigInteger b = integer((Value) right);
        if (a != null && b != null) {
            return a.compareTo(b);
        }
        double x = a == null ? ((Value.Real) left).value() : 0;
        double y = b == null ? ((Value.Real) right).value() : 0;
        if (Double.isNaN(x) || Double.isNaN(y)) {
            return null;
        }
        if (a == null && b == null) {
            return x == y ? 0 : x < y ? -1 : 1;
        }
        if (Double.isInfinite(x) || Double.isInfinite(y)) {
            return x < y ? -1 : 1;
        }
        return (a == null ? new BigDecimal(x) : new BigDecimal(a)).compareTo(b == null ? new BigDecimal(y) : new BigDecimal(b));
    }

    static boolean equal(Object left, Object right) {
        Integer order = compare(left, right);
        return order != null && order == 0;
    }

    /** The same for numbers that are equal. */
    static int hash(Value number) {
        if (number instanceof Value.Real(double real)) {
            return real == Math.rint(real) && Math.abs(real) < 0x1p62 ? Long.hashCode((long) real) : Double.hashCode(real);
        }
        BigInteger integer = integer(number);
        return integer.bitLength() < 63 ? Long.hashCode(integer.longValue()) : Double.hashCode(integer.doubleValue());
    }

    /** The int a text spells, with white space, sign and single underscores, in a base of 2 to 36; or null. */
    static BigInteger parseInteger(String text, int base) {
        String digits = PythonText.strip(text, null, true, true);
        boolean negative = digits.startsWith("-");
        digits = negative || digits.startsWith("+") ? digits.substring(1) : digits;
        String prefix = digits.length() > 2 && digits.charAt(0) == '0' ? digits.substring(0, 2).toLowerCase(Locale.ROOT) : "";
        int radix = switch (prefix) {
            case "0x" -> 16;
            case "0o" -> 8;
            case "0b" -> 2;
            default -> 10;
        };
        boolean prefixed = radix != 10 && (base == radix || base == 0);
        digits = prefixed ? digits.substring(2) : digits;
        digits = prefixed && digits.startsWith("_") ? digits.substring(1) : digits;
        if (digits.isEmpty() || digits.startsWith("_") || digits.endsWith("_") || digits.contains("__") || digits.length() > 4300) {
            return null;
        }
        String plain = digits.replace("_", "");
        int in = base == 0 ? radix : base;
        for (int i = 0; i < plain.length(); i++) {
            if (Character.digit(plain.charAt(i), in) < 0) {
                return null;
            }
        }
        BigInteger value = new BigInteger(plain, in);
        return negative ? value.negate() : value;
    }

    /** The float a text spells by Python's grammar, or null. */
    static Double parseReal(String text) {
        String stripped = PythonText.strip(text, null, true, true);
        String plain = stripped.replace("_", "").toLowerCase(Locale.ROOT);
        String unsigned = plain.startsWith("-") || plain.startsWith("+") ? plain.substring(1) : plain;
        double sign = plain.startsWith("-") ? -1 : 1;
        switch (unsigned) {
            case "inf", "infinity" -> {
                return sign * Double.POSITIVE_INFINITY;
            }
            case "nan" -> {
                return Double.NaN;
            }
            default -> { }
        }
        if (unsigned.isEmpty() || unsigned.length() > 4300) {
            return null;
        }
        boolean digit = false;
        for (int i = 0; i < stripped.length(); i++) {
            char c = stripped.charAt(i);
            boolean isDigit = c >= '0' && c <= '9';
            digit |= isDigit;
            boolean joins = c == '_' && i > 0 && i + 1 < stripped.length()
                && Character.isDigit(stripped.charAt(i - 1)) && Character.isDigit(stripped.charAt(i + 1));
            if (!isDigit && !joins && "+-.eE".indexOf(c) < 0) {
                return null;
            }
        }
        try {
            return digit ? Double.valueOf(plain) : null;
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }
}
