package poot.core.text.template;

/** {@code text.format(arguments)}: {@code {field!conversion:spec}}, with fields in the spec one level deep. */
final class BraceFormat {
    private final Run run;
    private final Arguments arguments;
    private int automatic;

    BraceFormat(Run run, Arguments arguments) {
        this.run = run;
        this.arguments = arguments;
    }

    String format(String text) throws TemplateException {
        return format(text, 2);
    }

    private String format(String text, int levels) throws TemplateException {
        if (levels == 0) {
            throw run.value("Max string recursion exceeded");
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean doubled = (c == '{' || c == '}') && i + 1 < text.length() && text.charAt(i + 1) == c;
            if (doubled || c != '{' && c != '}') {
                run.append(out, String.valueOf(c));
                i += doubled ? 1 : 0;
            } else if (c == '}') {
                throw run.value("Single '}' encountered in format string");
            } else {
                int end = fieldEnd(text, i + 1);
                run.append(out, field(text.substring(i + 1, end), levels));
                i = end;
            }
        }
        return out.toString();
    }

    private int fieldEnd(String text, int from) throws TemplateException {
        int open = 1;
        for (int i = from; i < text.length(); i++) {
            open += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (open == 0) {
                return i;
            }
        }
        throw run.value("expected '}' before end of string");
    }

    private String field(String field, int levels) throws TemplateException {
        int nameEnd = 0;
        for (boolean inside = false; nameEnd < field.length(); nameEnd++) {
            char c = field.charAt(nameEnd);
            inside = c == '[' || inside && c != ']';
            if (!inside && (c == '!' || c == ':')) {
                break;
            }
        }
        Value value = lookUp(field.substring(0, nameEnd));
        int at = nameEnd;
        if (at < field.length() && field.charAt(at) == '!') {
            char conversion = at + 1 < field.length() ? field.charAt(at + 1) : 0;
            value = Value.of(switch (conversion) {
                case 's' -> PythonText.str(run, value);
                case 'r', 'a' -> PythonText.repr(run, value);
                default -> throw run.value("Unknown conversion specifier " + conversion);
            });
            at += 2;
        }
        if (at < field.length() && field.charAt(at) != ':') {
            throw run.value("expected ':' after conversion specifier");
        }
        String spec = at < field.length() ? field.substring(at + 1) : "";
        return FormatSpec.format(run, value, spec.indexOf('{') >= 0 || spec.indexOf('}') >= 0 ? format(spec, levels - 1) : spec);
    }

    /** A field's value: an argument by place or name, then attributes and items of it. */
    private Value lookUp(String field) throws TemplateException {
        int at = 0;
        while (at < field.length() && field.charAt(at) != '.' && field.charAt(at) != '[') {
            at++;
        }
        Value value = argument(field.substring(0, at));
        while (at < field.length()) {
            run.step();
            if (field.charAt(at) == '[') {
                int end = field.indexOf(']', at);
                if (end < 0) {
                    throw run.value("Missing ']' in format string");
                }
                String key = field.substring(at + 1, end);
                value = Attributes.item(run, value, isIndex(key) ? Value.of(Integer.parseInt(key)) : Value.of(key));
                at = end + 1;
            } else if (field.charAt(at) == '.') {
                int end = at + 1;
                while (end < field.length() && field.charAt(end) != '.' && field.charAt(end) != '[') {
                    end++;
                }
                value = Attributes.attribute(run, value, field.substring(at + 1, end));
                at = end;
            } else {
                throw run.value("Only '.' or '[' may follow ']' in format field specifier");
            }
        }
        return value;
    }

    private Value argument(String name) throws TemplateException {
        if (name.isEmpty() || isIndex(name)) {
            int index = name.isEmpty() ? automatic++ : Integer.parseInt(name);
            if (index >= arguments.positional().size()) {
                throw run.failed(TemplateException.PythonError.INDEX,
                    "Replacement index " + index + " out of range for positional args tuple");
            }
            return arguments.positional().get(index);
        }
        Value value = arguments.named().get(name);
        if (value == null) {
            throw run.failed(TemplateException.PythonError.KEY, PythonText.quote(name));
        }
        return value;
    }

    private static boolean isIndex(String text) {
        return !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
