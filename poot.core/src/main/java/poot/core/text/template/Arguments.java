package poot.core.text.template;

import java.util.List;
import java.util.Map;

/** The evaluated arguments of a call. */
record Arguments(List<Value> positional, Map<String, Value> named) {
    static final Arguments NONE = new Arguments(List.of(), Map.of());

    static Arguments of(List<Value> positional) {
        return new Arguments(positional, Map.of());
    }

    /**
     * Matches the arguments with a function's parameters, the first {@code required} of which have no default.
     *
     * @throws TemplateException as Python's TypeError, where they do not fit
     */
    Bound bind(Run run, String function, int required, String... parameters) throws TemplateException {
        if (positional.size() > parameters.length) {
            throw run.type(function + "() takes at most " + parameters.length + " arguments (" + positional.size() + " given)");
        }
        Value[] values = new Value[parameters.length];
        for (int i = 0; i < positional.size(); i++) {
            values[i] = positional.get(i);
        }
        for (var argument : named.entrySet()) {
            int i = List.of(parameters).indexOf(argument.getKey());
            if (i < 0) {
                throw run.type(function + "() got an unexpected keyword argument '" + argument.getKey() + "'");
            }
            if (values[i] != null) {
                throw run.type(function + "() got multiple values for argument '" + argument.getKey() + "'");
            }
            values[i] = argument.getValue();
        }
        for (int i = 0; i < required; i++) {
            if (values[i] == null) {
                throw run.type(function + "() missing required argument: '" + parameters[i] + "'");
            }
        }
        return new Bound(run, function, List.of(parameters), values);
    }

    /** {@link #bind} for a function whose arguments have no names. */
    Bound bindUnnamed(Run run, String function, int required, String... parameters) throws TemplateException {
        if (!named.isEmpty()) {
            throw run.type(function + "() takes no keyword arguments");
        }
        return bind(run, function, required, parameters);
    }

    /** Arguments in a function's order; those not given are null until asked for with a default. */
    static final class Bound {
        private final Run run;
        private final String function;
        private final List<String> parameters;
        private final Value[] values;

        private Bound(Run run, String function, List<String> parameters, Value[] values) {
            this.run = run;
            this.function = function;
            this.parameters = parameters;
            this.values = values;
        }

        /** The argument, or null where it was not given. */
        Value get(int i) {
            return values[i];
        }

        Value get(int i, Value fallback) {
            return values[i] == null ? fallback : values[i];
        }

        boolean given(int i) {
            return values[i] != null && values[i] != Value.None.NONE;
        }

        boolean flag(int i) throws TemplateException {
            return values[i] != null && Comparisons.truth(run, values[i]);
        }

        String text(int i) throws TemplateException {
            if (values[i] instanceof Value.Str str) {
                return str.text();
            }
            throw run.type(function + "() argument '" + parameters.get(i) + "' must be str, not " + Names.type(values[i]));
        }

        /** The argument as an index or count, held to the range of int; {@code fallback} where it was not given. */
        int integer(int i, int fallback) throws TemplateException {
            return values[i] == null ? fallback : Numbers.index(run, values[i]);
        }
    }
}
