package poot.serve.load;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import poot.serve.bench.Spread;

/**
 * What a target did with a number of streams, over all rounds.
 *
 * @param target     the server
 * @param streams    at once
 * @param throughput generated tokens a second of all streams together, a value a round
 * @param first      seconds to the first piece of text
 * @param gap        seconds between pieces
 * @param failed     streams that did not end well
 * @param failure    what the first of them said, or an empty text
 */
public record LoadFigures(
        LoadTarget target, int streams, Spread throughput, Quantiles first, Quantiles gap, int failed, String failure) {
    /** Quantiles of a set of times, in seconds; all 0 where there was none. */
    public record Quantiles(double p50, double p99, double greatest) {
        static Quantiles of(DoubleStream times) {
            double[] sorted = times.sorted().toArray();
            return sorted.length == 0 ? new Quantiles(0, 0, 0)
                    : new Quantiles(at(sorted, 0.50), at(sorted, 0.99), sorted[sorted.length - 1]);
        }

        private static double at(double[] sorted, double quantile) {
            return sorted[(int) Math.min(sorted.length - 1, Math.ceil(quantile * sorted.length) - 1)];
        }
    }

    static LoadFigures of(LoadTarget target, int streams, List<LoadRun.Turn> turns) {
        List<StreamProbe.Outcome> all = turns.stream().flatMap(t -> t.streams().stream()).toList();
        List<StreamProbe.Outcome> failures = all.stream().filter(StreamProbe.Outcome::failed).toList();
        return new LoadFigures(target, streams,
                new Spread(turns.stream().map(t -> t.tokens() / t.seconds()).toList()),
                quantiles(all, o -> DoubleStream.of(o.first())),
                quantiles(all, o -> o.gaps().stream().mapToDouble(g -> g)),
                failures.size(), failures.isEmpty() ? "" : failures.getFirst().failure());
    }

    private static Quantiles quantiles(List<StreamProbe.Outcome> all, Function<StreamProbe.Outcome, DoubleStream> times) {
        return Quantiles.of(all.stream().filter(o -> !o.failed()).flatMapToDouble(times));
    }

    /** The median over rounds of this target's throughput by another's in the same round. */
    double ratio(LoadFigures other) {
        double[] ratios = new double[throughput.values().size()];
        Arrays.setAll(ratios, i -> throughput.values().get(i) / other.throughput.values().get(i));
        return new Spread(Arrays.stream(ratios).boxed().toList()).median();
    }
}
