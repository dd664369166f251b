package poot.core.text.template;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import poot.core.text.template.TemplateException.PythonError;

/** The filters by name. Each lives with its kind: {@link TextFilters}, {@link SequenceFilters}, {@link NumberFilters}. */
final class Filters {
    /** What a filter does with the value it is applied to. */
    @FunctionalInterface
    interface Filter {
        Value apply(Evaluator evaluator, Value subject, Arguments arguments) throws TemplateException;
    }

    /** Filters of jinja2 that no chat template uses. */
    private static final Set<String> REFUSED = Set.of("filesizeformat", "pprint", "random", "striptags", "urlencode",
        "urlize", "wordwrap", "xmlattr", "forceescape");

    private static final Map<String, Filter> ALL = all();

    private Filters() { }

    private static Map<String, Filter> all() {
        Map<String, Filter> all = new HashMap<>();
        all.putAll(TextFilters.ALL);
        all.putAll(SequenceFilters.ALL);
        all.putAll(SelectionFilters.ALL);
        all.putAll(NumberFilters.ALL);
        all.put("tojson", Filters::toJson);
        all.put("default", Filters::orDefault);
        all.put("d", Filters::orDefault);
        all.put("attr", Filters::attribute);
        return Map.copyOf(all);
    }

    static boolean exists(String name) {
        return ALL.containsKey(name);
    }

    /** Whether jinja2 has a filter of that name. */
    static boolean known(String name) {
        return exists(name) || REFUSED.contains(name);
    }

    static Value apply(Evaluator evaluator, String name, Value subject, Arguments arguments) throws TemplateException {
        Filter filter = ALL.get(name);
        if (filter == null) {
            throw evaluator.run().failed(PythonError.RUNTIME, "No filter named " + PythonText.quote(name) + " found.");
        }
        return filter.apply(evaluator, subject, arguments);
    }

    private static Value toJson(Evaluator evaluator, Value subject, Arguments arguments) throws TemplateException {
        return Value.of(Json.dumps(evaluator.run(), subject, arguments.bind(evaluator.run(), "tojson", 0,
            "ensure_ascii", "indent", "separators", "sort_keys")));
    }

    private static Value orDefault(Evaluator evaluator, Value subject, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "default", 0, "default_value", "boolean");
        boolean absent = subject instanceof Value.Undefined || bound.flag(1) && !Comparisons.truth(run, subject);
        return absent ? bound.get(0, Value.of("")) : subject;
    }

    private static Value attribute(Evaluator evaluator, Value subject, Arguments arguments) throws TemplateException {
        String name = arguments.bind(evaluator.run(), "attr", 1, "name").text(0);
        Value found = Attributes.own(evaluator.run(), subject, name);
        return found != null ? found : new Value.Undefined(null, subject, Value.of(name), false);
    }
}
