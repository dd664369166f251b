package poot.families.components;

import java.util.List;
import java.util.Objects;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.TraceException;
import poot.api.graph.Value;

/**
 * A normalisation of the last axis.
 *
 * @param kind   root mean square (Zhang and Sennrich 2019) or layer normalisation (Ba et al. 2016)
 * @param eps    added to the mean square or the variance
 * @param offset added to every weight: 1 where a checkpoint stores w - 1; only of {@link Kind#RMS}
 * @param biased whether a bias follows; only of {@link Kind#LAYER}
 */
public record Norm(Kind kind, float eps, float offset, boolean biased) {
    /** What is divided out. */
    public enum Kind { RMS, LAYER }

    public Norm {
        Objects.requireNonNull(kind);
        if (kind == Kind.RMS ? biased : offset != 0) {
            throw new IllegalArgumentException(kind + " norm with offset " + offset + ", biased " + biased);
        }
    }

    /** x / sqrt(mean(x²) + eps) · w. */
    public static Norm rms(float eps) {
        return new Norm(Kind.RMS, eps, 0, false);
    }

    /** (x - mean) / sqrt(var + eps) · w, plus b if {@code biased}. */
    public static Norm layer(float eps, boolean biased) {
        return new Norm(Kind.LAYER, eps, 0, biased);
    }

    /** This norm with a number added to every weight. */
    public Norm withOffset(float o) {
        return new Norm(kind, eps, o, biased);
    }

    /** x normalised along its last axis by the weight of {@code at}. */
    public Value apply(Site at, Value x /* [.., D] */) throws TraceException {
        int width = x.shape().dim(-1);
        Value w = at.weight(width);                                                   // [D]
        return switch (kind) {
            case RMS -> rmsNorm(at.b(), x, w);
            case LAYER -> layerNorm(at.b(), biased ? List.of(x, w, at.bias(width)) : List.of(x, w));
        };
    }

    private Value rmsNorm(Builder b, Value x, Value w) throws TraceException {
        return b.composite(new Composite.RmsNorm(eps, offset), List.of(x, w), (body, in) -> {
            Value ms = body.mean(body.square(in.get(0)), -1);                         // [.., 1]
            Value unit = body.div(in.get(0), body.sqrt(body.add(ms, eps)));           // [.., D]
            Value scale = offset == 0 ? in.get(1) : body.add(in.get(1), offset);      // [D]
            return body.mul(unit, scale);                                             // [.., D]
        });
    }

    private Value layerNorm(Builder b, List<Value> operands) throws TraceException {
        return b.composite(new Composite.LayerNorm(eps, biased), operands, (body, in) -> {
            Value centred = body.sub(in.get(0), body.mean(in.get(0), -1));            // [.., D]
            Value var = body.mean(body.square(centred), -1);                          // [.., 1]
            Value unit = body.div(centred, body.sqrt(body.add(var, eps)));            // [.., D]
            Value scaled = body.mul(unit, in.get(1));                                 // [.., D]
            return biased ? body.add(scaled, in.get(2)) : scaled;                     // [.., D]
        });
    }
}
