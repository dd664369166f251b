package poot.core.text.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import poot.core.text.template.Arguments.Bound;

/** {@code json.dumps(value, ensure_ascii, indent, separators, sort_keys)}, as transformers' {@code tojson} calls it. */
final class Json {
    private final Run run;
    private final boolean ascii;
    /** What one level is indented by, or null for one line. */
    private final String indent;
    private final String itemSeparator;
    private final String keySeparator;
    private final boolean sorted;
    private final StringBuilder out = new StringBuilder();

    private Json(Run run, Bound options) throws TemplateException {
        this.run = run;
        this.ascii = options.flag(0);
        this.indent = indent(run, options);
        this.sorted = options.flag(3);
        if (options.given(2)) {
            List<Value> separators = Iteration.items(run, options.get(2));
            if (separators.size() != 2 || !(separators.getFirst() instanceof Value.Str item)
                || !(separators.getLast() instanceof Value.Str key)) {
                throw run.type("tojson: separators must be two strings, for items and for keys");
            }
            this.itemSeparator = item.text();
            this.keySeparator = key.text();
        } else {
            this.itemSeparator = indent == null ? ", " : ",";
            this.keySeparator = ": ";
        }
    }

    /** The value as JSON; {@code options} are ensure_ascii, indent, separators, sort_keys. */
    static String dumps(Run run, Value value, Bound options) throws TemplateException {
        Json json = new Json(run, options);
        json.write(value, 0);
        return json.out.toString();
    }

    private static String indent(Run run, Bound options) throws TemplateException {
        if (!options.given(1)) {
            return null;
        }
        if (options.get(1) instanceof Value.Str text) {
            return text.text();
        }
        int width = Math.max(0, options.integer(1, 0));
        run.make(width);
        return " ".repeat(width);
    }

    private void write(Value value, int level) throws TemplateException {
        run.enter();
        switch (value) {
            case Value.None _ -> append("null");
            case Value.Bool bool -> append(bool.value() ? "true" : "false");
            case Value.Int _ -> append(PythonText.repr(run, value));
            case Value.Real real -> append(real(real.value()));
            case Value.Str str -> quote(str.text());
            case Value.Sequence sequence -> list(sequence.items(), level);
            case Value.Dict dict -> dict(dict.entries(), level);
            case Value.View _, Value.Range _, Value.Undefined _, Value.Namespace _, Value.Function _, Value.Macro _,
                 Generator _, Loop _ -> throw run.type("Object of type " + Names.type(value) + " is not JSON serializable");
        }
        run.leave();
    }

    private void append(String text) throws TemplateException {
        run.append(out, text);
    }

    private static String real(double real) {
        return Double.isNaN(real) ? "NaN" : Double.isInfinite(real) ? (real < 0 ? "-Infinity" : "Infinity")
            : NumberText.repr(real);
    }

    private void newline(int level) throws TemplateException {
        if (indent != null) {
            run.make((long) indent.length() * level);
            append("\n" + indent.repeat(level));
        }
    }

    private void list(List<Value> items, int level) throws TemplateException {
        append("[");
        boolean first = true;
        for (Value item : items) {
            append(first ? "" : itemSeparator);
            newline(level + 1);
            write(item, level + 1);
            first = false;
        }
        if (!first) {
            newline(level);
        }
        append("]");
    }

    private void dict(Map<Value, Value> entries, int level) throws TemplateException {
        append("{");
        boolean first = true;
        List<Value> keys = new ArrayList<>(entries.keySet());
        for (Value key : sorted ? Comparisons.sorted(run, keys, keys, false) : keys) {
            append(first ? "" : itemSeparator);
            newline(level + 1);
            quote(key(key));
            append(keySeparator);
            write(entries.get(key), level + 1);
            first = false;
        }
        if (!first) {
            newline(level);
        }
        append("}");
    }

    private String key(Value key) throws TemplateException {
        return switch (key) {
            case Value.Str str -> str.text();
            case Value.None _ -> "null";
            case Value.Bool bool -> bool.value() ? "true" : "false";
            case Value.Int _ -> PythonText.repr(run, key);
            case Value.Real real -> real(real.value());
            default -> throw run.type("keys must be str, int, float, bool or None, not " + Names.type(key));
        };
    }

    private void quote(String text) throws TemplateException {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case '\b' -> quoted.append("\\b");
                case '\f' -> quoted.append("\\f");
                default -> {
                    if (c < 0x20 || ascii && c > 0x7e && c != 0x7f) {
                        quoted.append("\\u%04x".formatted((int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        append(quoted.append('"').toString());
    }
}
