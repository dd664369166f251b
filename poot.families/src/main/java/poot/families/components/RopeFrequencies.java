package poot.families.components;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import poot.api.graph.LiteralData;
import poot.api.graph.Role;
import poot.api.graph.Shape;

/**
 * The angles of a rotary embedding: pair i turns by position · frequency(i), and the result is scaled. Computed in
 * double precision, kept in F32.
 *
 * @param perPosition radians per position, F32 [rotary/2]
 * @param scale       multiplies the rotated features
 * @param divisor     a weight F32 [rotary/2] the frequencies are divided by in the graph
 */
public record RopeFrequencies(LiteralData perPosition, float scale, Optional<Role> divisor) {
    public RopeFrequencies {
        Objects.requireNonNull(perPosition);
        Objects.requireNonNull(divisor);
    }

    /** theta^(-2i/dims) (Su et al. 2021). */
    public static RopeFrequencies plain(int dims, double theta) {
        return of(IntStream.range(0, dims / 2).mapToDouble(i -> Math.pow(theta, -2.0 * i / dims)).toArray(), 1);
    }

    /** Every frequency divided by {@code factor}: position interpolation (Chen et al. 2023). */
    public static RopeFrequencies linear(int dims, double theta, double factor) {
        return of(IntStream.range(0, dims / 2).mapToDouble(i -> Math.pow(theta, -2.0 * i / dims) / factor).toArray(), 1);
    }

    /** Frequency i divided by {@code factors[i]} and the result scaled: LongRoPE (Ding et al. 2024). */
    public static RopeFrequencies divided(int dims, double theta, double[] factors, double scale) {
        double[] out = new double[dims / 2];
        for (int i = 0; i < out.length; i++) {
            out[i] = Math.pow(theta, -2.0 * i / dims) / factors[i];
        }
        return of(out, scale);
    }

    /**
     * Llama 3's scaling: wavelengths over original/low are divided by {@code factor}, those under original/high stay,
     * and between the two the choice is blended.
     */
    public static RopeFrequencies llama3(int dims, double theta, double factor, double low, double high, double original) {
        return of(IntStream.range(0, dims / 2).mapToDouble(i -> {
            double f = Math.pow(theta, -2.0 * i / dims);
            double turns = original * f / (2 * Math.PI);
            double keep = Math.clamp((turns - low) / (high - low), 0, 1);
            return (1 - keep) * f / factor + keep * f;
        }).toArray(), 1);
    }

    /**
     * YaRN (Peng et al. 2023): pairs that turn more than {@code fast} times over the original context keep their
     * frequency, those that turn less than {@code slow} times are divided by {@code factor}, with a ramp between.
     *
     * @param truncate whether the ramp's ends are rounded outward to whole pairs
     * @param scale    the attention factor
     */
    public static RopeFrequencies yarn(
            int dims, double theta, double factor, double original, double fast, double slow, boolean truncate, double scale) {
        double first = pairOfTurns(dims, theta, original, fast);
        double last = pairOfTurns(dims, theta, original, slow);
        double low = Math.max(truncate ? Math.floor(first) : first, 0);
        double high = Math.min(truncate ? Math.ceil(last) : last, dims - 1);
        double span = high == low ? 0.001 : high - low;
        return of(IntStream.range(0, dims / 2).mapToDouble(i -> {
            double f = Math.pow(theta, -2.0 * i / dims);
            double stretch = Math.clamp((i - low) / span, 0, 1);
            return stretch * f / factor + (1 - stretch) * f;
        }).toArray(), scale);
    }

    /** YaRN's attention factor of a context stretched by {@code factor}: 0.1 · mscale · ln(factor) + 1. */
    public static double yarnScale(double factor, double mscale) {
        return factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1;
    }

    private static double pairOfTurns(int dims, double theta, double original, double turns) {
        return dims * Math.log(original / (turns * 2 * Math.PI)) / (2 * Math.log(theta));
    }

    private static RopeFrequencies of(double[] f, double scale) {
        float[] narrow = new float[f.length];
        for (int i = 0; i < f.length; i++) {
            narrow[i] = (float) f[i];
        }
        return new RopeFrequencies(LiteralData.floats(Shape.of(f.length), narrow), (float) scale, Optional.empty());
    }

    /** These frequencies with the rotated features scaled further. */
    public RopeFrequencies scaled(double by) {
        return new RopeFrequencies(perPosition, (float) (scale * by), divisor);
    }

    /** These frequencies divided by a weight of the checkpoint. */
    public RopeFrequencies dividedBy(Role weight) {
        return new RopeFrequencies(perPosition, scale, Optional.of(weight));
    }
}
