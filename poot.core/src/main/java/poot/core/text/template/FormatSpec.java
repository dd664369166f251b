package poot.core.text.template;

import java.math.BigInteger;
import java.util.Locale;

/** {@code format(value, spec)}: {@code [[fill]align][sign][#][0][width][,_][.precision][type]}. */
final class FormatSpec {
    /** Most digits after a point; exact decimals longer than a float's own say nothing more. */
    static final int MAX_PRECISION = 4096;

    private final Run run;
    private final String spec;
    private int at;
    private String fill = " ";
    private char align;
    private char sign = '-';
    private boolean alternate;
    private int width;
    private char grouping;
    private int precision = -1;
    private char type;

    private FormatSpec(Run run, String spec) throws TemplateException {
        this.run = run;
        this.spec = spec;
        int first = spec.isEmpty() ? 0 : Character.charCount(spec.codePointAt(0));
        if (first > 0 && spec.length() > first && "<>=^".indexOf(spec.charAt(first)) >= 0) {
            fill = spec.substring(0, first);
            at = first;
        }
        align = take("<>=^");
        char given = take("+- ");
        sign = given == 0 ? '-' : given;
        alternate = take("#") != 0;
        if (take("0") != 0 && align == 0) {
            fill = "0";
            align = '=';
        }
        width = number();
        grouping = take(",_");
        if (take(".") != 0) {
            int from = at;
            precision = number();
            if (from == at) {
                throw run.value("Format specifier missing precision");
            }
        }
        type = at < spec.length() ? spec.charAt(at++) : 0;
        if (at < spec.length()) {
            throw run.value("Invalid format specifier");
        }
    }

    /** The value as the spec shows it. */
    static String format(Run run, Value value, String spec) throws TemplateException {
        if (spec.isEmpty()) {
            return PythonText.str(run, value);
        }
        FormatSpec format = new FormatSpec(run, spec);
        return switch (value) {
            case Value.Str str -> format.text(str.text());
            case Value.Bool bool when format.type == 0 -> format.text(bool.value() ? "True" : "False");
            case Value.Int _, Value.Bool _ -> format.integer(Numbers.integer(value));
            case Value.Real real -> format.real(real.value());
            default -> throw run.type("unsupported format string passed to " + Names.type(value) + ".__format__");
        };
    }

    private char take(String choices) {
        return at < spec.length() && choices.indexOf(spec.charAt(at)) >= 0 ? spec.charAt(at++) : 0;
    }

    private int number() throws TemplateException {
        long number = 0;
        while (at < spec.length() && spec.charAt(at) >= '0' && spec.charAt(at) <= '9') {
            number = Math.min(Integer.MAX_VALUE, number * 10 + spec.charAt(at++) - '0');
        }
        run.make(number);
        return (int) number;
    }

    private TemplateException unknown(String type) {
        return run.value("Unknown format code '" + this.type + "' for object of type '" + type + "'");
    }

    private String text(String text) throws TemplateException {
        if (type != 0 && type != 's') {
            throw unknown("str");
        }
        int length = text.codePointCount(0, text.length());
        String shown = precision >= 0 && precision < length ? text.substring(0, text.offsetByCodePoints(0, precision)) : text;
        return padded("", shown, align == 0 ? '<' : align);
    }

    private String integer(BigInteger value) throws TemplateException {
        BigInteger magnitude = value.abs();
        String prefix = value.signum() < 0 ? "-" : sign == '-' ? "" : String.valueOf(sign);
        String digits = switch (type) {
            case 0, 'd', 'n' -> PythonText.repr(run, new Value.Int(magnitude));
            case 'x' -> magnitude.toString(16);
            case 'X' -> magnitude.toString(16).toUpperCase(Locale.ROOT);
            case 'o' -> magnitude.toString(8);
            case 'b' -> magnitude.toString(2);
            case 'c' -> Character.toString(Character.isValidCodePoint(Numbers.clamp(value)) ? Numbers.clamp(value) : 0xfffd);
            case 'e', 'E', 'f', 'F', 'g', 'G', '%' -> null;
            default -> throw unknown("int");
        };
        if (digits == null) {
            return real(Numbers.real(run, new Value.Int(value)));
        }
        if (alternate && "xXob".indexOf(type) >= 0) {
            prefix += "0" + type;
        }
        return padded(prefix, grouping == 0 ? digits : NumberText.grouped(digits, grouping), align == 0 ? '>' : align);
    }

    private String real(double value) throws TemplateException {
        int digits = precision < 0 ? 6 : precision;
        if (digits > MAX_PRECISION) {
            throw run.value("precision too big");
        }
        boolean negative = value < 0 || value == 0 && 1 / value < 0;
        double magnitude = Math.abs(value);
        String shown = switch (type) {
            case 'e', 'E', 'f', 'F', 'g', 'G' -> NumberText.format(magnitude, type, digits, alternate);
            case '%' -> NumberText.format(magnitude * 100, 'f', digits, alternate) + "%";
            case 0 -> precision < 0 ? NumberText.repr(magnitude) : pointed(NumberText.format(magnitude, 'g', digits, alternate));
            default -> throw unknown("float");
        };
        String prefix = negative ? "-" : sign == '-' ? "" : String.valueOf(sign);
        return padded(prefix, grouping == 0 ? shown : NumberText.grouped(shown, grouping), align == 0 ? '>' : align);
    }

    /** A float without a type shows that it is one. */
    private static String pointed(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9') ? text + ".0" : text;
    }

    private String padded(String prefix, String shown, char side) throws TemplateException {
        int length = prefix.length() + shown.codePointCount(0, shown.length());
        int missing = Math.max(0, width - length);
        run.make((long) missing * fill.length() + length);
        int left = switch (side) {
            case '<' -> 0;
            case '^' -> missing / 2;
            default -> missing;
        };
        String before = fill.repeat(left);
        String after = fill.repeat(missing - left);
        return side == '=' ? prefix + before + shown : before + prefix + shown + after;
    }
}
