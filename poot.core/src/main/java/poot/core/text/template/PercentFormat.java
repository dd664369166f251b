package poot.core.text.template;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import poot.core.text.template.TemplateException.PythonError;

/** {@code format % values}, as C's printf with Python's additions. */
final class PercentFormat {
    private final Run run;
    private final Value.Str format;
    private final Value values;
    private final List<Value> list;
    private int used;
    private int at;

    private PercentFormat(Run run, Value.Str format, Value values) {
        this.run = run;
        this.format = format;
        this.values = values;
        this.list = values instanceof Value.Sequence sequence && !sequence.isList() ? sequence.items() : List.of(values);
    }

    static Value format(Run run, Value.Str format, Value values) throws TemplateException {
        return format.like(new PercentFormat(run, format, values).format());
    }

    private String format() throws TemplateException {
        String text = format.text();
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            int percent = text.indexOf('%', at);
            run.append(out, text.substring(at, percent < 0 ? text.length() : percent));
            if (percent < 0) {
                break;
            }
            at = percent + 1;
            run.append(out, conversion());
        }
        boolean mapping = values instanceof Value.Dict || values instanceof Value.Sequence sequence && sequence.isList();
        if (used < list.size() && !mapping) {
            throw run.type("not all arguments converted during string formatting");
        }
        return out.toString();
    }

    private char take() throws TemplateException {
        if (at == format.text().length()) {
            throw run.value("incomplete format");
        }
        return format.text().charAt(at++);
    }

    private String conversion() throws TemplateException {
        Value keyed = key();
        String flags = "";
        char c = take();
        for (; "#0- +".indexOf(c) >= 0; c = take()) {
            flags += flags.indexOf(c) < 0 ? c : "";
        }
        int width = 0;
        if (c == '*') {
            width = Numbers.index(run, next());
            flags += width < 0 ? "-" : "";
            width = Math.abs(width);
            c = take();
        } else {
            at--;
            width = number();
            c = take();
        }
        int precision = -1;
        if (c == '.') {
            if (at < format.text().length() && format.text().charAt(at) == '*') {
                at++;
                precision = Math.max(0, Numbers.index(run, next()));
            } else {
                precision = number();
            }
            c = take();
        }
        while (c == 'h' || c == 'l' || c == 'L') {
            c = take();
        }
        if (c == '%') {
            return "%";
        }
        return padded(converted(c, keyed != null ? keyed : next(), flags, precision), flags, width, c);
    }

    /** The value of a {@code (key)}, or null where there is none. */
    private Value key() throws TemplateException {
        String text = format.text();
        if (at >= text.length() || text.charAt(at) != '(') {
            return null;
        }
        int open = 1;
        int from = ++at;
        while (open > 0) {
            char c = take();
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        if (!(values instanceof Value.Dict dict)) {
            throw run.type("format requires a mapping");
        }
        Value value = dict.get(text.substring(from, at - 1));
        if (value == null) {
            throw run.failed(PythonError.KEY, PythonText.quote(text.substring(from, at - 1)));
        }
        return value;
    }

    private Value next() throws TemplateException {
        if (used >= list.size()) {
            throw run.type("not enough arguments for format string");
        }
        return list.get(used++);
    }

    private int number() throws TemplateException {
        long number = 0;
        while (at < format.text().length() && Character.digit(format.text().charAt(at), 10) >= 0) {
            number = Math.min(Integer.MAX_VALUE, number * 10 + Character.digit(format.text().charAt(at++), 10));
        }
        run.make(number);
        return (int) number;
    }

    /** A conversion's text, with its sign and prefix first. */
    private String converted(char c, Value value, String flags, int precision) throws TemplateException {
        switch (c) {
            case 's', 'r', 'a' -> {
                String text = c == 's' ? PythonText.str(run, value) : PythonText.repr(run, value);
                if (format.markup()) {
                    text = PythonText.escape(value instanceof Value.Str str && c == 's' ? str : Value.of(text)).text();
                }
                int length = text.codePointCount(0, text.length());
                return precision >= 0 && precision < length ? text.substring(0, text.offsetByCodePoints(0, precision)) : text;
            }
            case 'c' -> {
                int code = value instanceof Value.Str str && str.text().codePointCount(0, str.text().length()) == 1
                    ? str.text().codePointAt(0) : value instanceof Value.Str ? -1 : Numbers.index(run, value);
                if (!Character.isValidCodePoint(code)) {
                    throw run.type("%c requires int or char");
                }
                return Character.toString(code);
            }
            case 'd', 'i', 'u', 'o', 'x', 'X' -> {
                BigInteger integer = integer(c, value);
                return signed(integer.signum() < 0, digits(c, integer.abs(), flags, precision), flags);
            }
            case 'e', 'E', 'f', 'F', 'g', 'G' -> {
                double real = Numbers.real(run, value);
                int digits = precision < 0 ? 6 : precision;
                if (digits > FormatSpec.MAX_PRECISION) {
                    throw run.value("precision too big");
                }
                boolean negative = real < 0 || real == 0 && 1 / real < 0;
                return signed(negative, NumberText.format(Math.abs(real), c, digits, flags.contains("#")), flags);
            }
            default -> throw run.value("unsupported format character '" + c + "' (0x" + Integer.toHexString(c)
                + ") at index " + (at - 1));
        }
    }

    private BigInteger integer(char c, Value value) throws TemplateException {
        BigInteger integer = Numbers.integer(value);
        boolean decimal = "diu".indexOf(c) >= 0;
        if (integer == null && decimal && value instanceof Value.Real(double real) && !Double.isNaN(real) && !Double.isInfinite(real)) {
            integer = new java.math.BigDecimal(real).toBigInteger();
        }
        if (integer == null) {
            throw run.type("%" + c + " format: " + (decimal ? "a real number" : "an integer") + " is required, not "
                + Names.type(value));
        }
        return integer;
    }

    private String digits(char c, BigInteger magnitude, String flags, int precision) throws TemplateException {
        String digits = switch (c) {
            case 'o' -> magnitude.toString(8);
            case 'x' -> magnitude.toString(16);
            case 'X' -> magnitude.toString(16).toUpperCase(Locale.ROOT);
            default -> PythonText.repr(run, new Value.Int(magnitude));
        };
        int missing = Math.max(0, precision - digits.length());
        run.make(missing);
        String prefix = flags.contains("#") && "oxX".indexOf(c) >= 0 ? "0" + c : "";
        return prefix + "0".repeat(missing) + digits;
    }

    private static String signed(boolean negative, String text, String flags) {
        return (negative ? "-" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "") + text;
    }

    private String padded(String text, String flags, int width, char c) throws TemplateException {
        int missing = Math.max(0, width - text.codePointCount(0, text.length()));
        run.make((long) missing + text.length());
        if (flags.contains("-")) {
            return text + " ".repeat(missing);
        }
        if (flags.contains("0") && "sra c".indexOf(c) < 0) {
            int sign = !text.isEmpty() && "+- ".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
            sign += text.startsWith("0x", sign) || text.startsWith("0X", sign) || text.startsWith("0o", sign) ? 2 : 0;
            return text.substring(0, sign) + "0".repeat(missing) + text.substring(sign);
        }
        return " ".repeat(missing) + text;
    }
}
