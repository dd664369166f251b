package poot.serve.metrics;

/** The text format of Prometheus, version 0.0.4. */
final class Exposition {
    private final StringBuilder out = new StringBuilder(8192);

    void head(String name, String help, String type) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    void value(String name, String labels, double value) {
        out.append(name);
        if (!labels.isEmpty()) {
            out.append('{').append(labels).append('}');
        }
        out.append(' ').append(number(value)).append('\n');
    }

    void single(String name, String help, String type, double value) {
        head(name, help, type);
        value(name, "", value);
    }

    static String number(double v) {
        return v == Math.rint(v) && Math.abs(v) < 1e15 ? Long.toString((long) v) : Double.toString(v);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
