package poot.families.components;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.api.graph.Op.UnaryKind;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.StepInput;

/**
 * Rotary position embedding (Su et al. 2021) of queries and keys.
 *
 * @param dims        features of a head that turn; the rest pass through
 * @param interleaved whether pair i is (2i, 2i + 1) rather than (i, i + dims/2)
 * @param original    positions up to which {@code within} holds; 0 where there is no such bound
 * @param within      the frequencies
 * @param beyond      the frequencies of a step that may reach further than {@code original} positions
 */
public record Rotary(int dims, boolean interleaved, int original, RopeFrequencies within, Optional<RopeFrequencies> beyond) {
    public Rotary {
        Objects.requireNonNull(within);
        Objects.requireNonNull(beyond);
    }

    /** One set of frequencies for every context. */
    public static Rotary of(int dims, boolean interleaved, RopeFrequencies f) {
        return new Rotary(dims, interleaved, 0, f, Optional.empty());
    }

    /** The same pairs with other frequencies, switched by the step's reach. */
    public Rotary with(RopeFrequencies near, Optional<RopeFrequencies> far) {
        return new Rotary(dims, interleaved, original, near, far);
    }

    /** x with its heads turned to their positions. */
    public Value apply(Site at, Value x /* [R, T, H, D] */) throws TraceException {
        RopeFrequencies f = beyond.filter(b -> at.reach() > original).orElse(within);
        Value frequencies = at.b().literal(f.perPosition());                          // [dims/2]
        if (f.divisor().isPresent()) {
            Value divisor = at.b().weight(f.divisor().get(), dims / 2);               // [dims/2]
            frequencies = at.b().div(frequencies, divisor);                           // [dims/2]
        }
        Composite.Rope rope = new Composite.Rope(dims, interleaved, f.scale());
        List<Value> operands = List.of(x, at.input(StepInput.POSITIONS), frequencies);
        return at.b().composite(rope, operands, (b, in) -> turn(b, rope, in.get(0), in.get(1), in.get(2)));
    }

    private static Value turn(Builder b, Composite.Rope rope, Value x, Value positions, Value frequencies) throws TraceException {
        int[] d = x.shape().dims();                                                   // R, T, H, D
        int half = rope.rotary() / 2;
        Value p = b.reshape(b.cast(positions, ElementType.F32), d[0], d[1], 1, 1);
        Value angle = b.mul(p, frequencies);                                          // [R, T, 1, half]
        Value cos = b.mul(b.unary(UnaryKind.COS, angle), rope.scale());               // [R, T, 1, half]
        Value sin = b.mul(b.unary(UnaryKind.SIN, angle), rope.scale());               // [R, T, 1, half]
        Value turning = b.slice(x, 3, 0, 2 * half);                                   // [R, T, H, 2·half]
        Value first;                                                                  // [R, T, H, half]
        Value second;                                                                 // [R, T, H, half]
        if (rope.interleaved()) {
            Value pairs = b.reshape(turning, d[0], d[1], d[2], half, 2);
            first = b.reshape(b.slice(pairs, 4, 0, 1), d[0], d[1], d[2], half);
            second = b.reshape(b.slice(pairs, 4, 1, 2), d[0], d[1], d[2], half);
        } else {
            first = b.slice(turning, 3, 0, half);
            second = b.slice(turning, 3, half, 2 * half);
        }
        Value left = b.sub(b.mul(first, cos), b.mul(second, sin));                    // [R, T, H, half]
        Value right = b.add(b.mul(second, cos), b.mul(first, sin));                   // [R, T, H, half]
        Value turned = rope.interleaved() ? interleave(b, left, right) : b.concat(3, left, right);
        return d[3] == 2 * half ? turned : b.concat(3, turned, b.slice(x, 3, 2 * half, d[3]));
    }

    private static Value interleave(Builder b, Value left /* [R, T, H, half] */, Value right) throws TraceException {
        int[] d = left.shape().dims();
        Value l = b.reshape(left, d[0], d[1], d[2], d[3], 1);
        Value r = b.reshape(right, d[0], d[1], d[2], d[3], 1);
        return b.reshape(b.concat(4, l, r), d[0], d[1], d[2], 2 * d[3]);              // [R, T, H, 2·half]
    }
}
