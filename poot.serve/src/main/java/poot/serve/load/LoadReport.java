package poot.serve.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures of load in words for a person and as JSON for a program; units are tokens and seconds. */
public final class LoadReport {
    private LoadReport() {}

    /** The heading of the lines. */
    public static String heading() {
        return "streams  server        tokens/s (least–greatest)   first text p50 / p99   between texts p50 / p99 / most   failed";
    }

    /** One line of figures. */
    public static String line(LoadFigures f) {
        return String.format(Locale.ROOT, "%7d  %-12s %9.1f (%.1f–%.1f)  %10.2f / %.2f s  %12.0f / %.0f / %.0f ms  %8d%s",
                f.streams(), f.target().name(), f.throughput().median(), f.throughput().least(), f.throughput().greatest(),
                f.first().p50(), f.first().p99(), 1e3 * f.gap().p50(), 1e3 * f.gap().p99(), 1e3 * f.gap().greatest(),
                f.failed(), f.failure().isEmpty() ? "" : "  " + f.failure());
    }

    /** The whole run as JSON values; each target's ratio is to the last target of the plan. */
    public static Map<String, Object> json(LoadPlan plan, List<LoadFigures> figures) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("request", plan.request());
        o.put("rounds", plan.rounds());
        o.put("results", figures.stream().map(f -> json(plan, f, figures)).toList());
        return o;
    }

    private static Map<String, Object> json(LoadPlan plan, LoadFigures f, List<LoadFigures> all) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("server", f.target().name());
        o.put("streams", f.streams());
        o.put("tokens_per_s", f.throughput().median());
        o.put("tokens_per_s_rounds", f.throughput().values());
        o.put("first_text_s", f.first());
        o.put("between_texts_s", f.gap());
        o.put("failed", f.failed());
        if (!f.failure().isEmpty()) {
            o.put("failure", f.failure());
        }
        LoadTarget last = plan.targets().getLast();
        all.stream().filter(p -> p.streams() == f.streams() && p.target().equals(last) && !f.target().equals(last)).findFirst()
                .ifPresent(p -> o.put("ratio_to_" + last.name(), f.ratio(p)));
        return o;
    }
}
