package poot.families.components;

import java.util.Objects;
import poot.api.graph.Builder;
import poot.api.graph.Role;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.ProgramName;
import poot.api.model.StepInput;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;

/**
 * A place in a model that is being traced: the builder, the step, and the scope whose name every weight takes.
 *
 * @param b     records the graph
 * @param spec  the step being traced
 * @param layer the layer this place belongs to, or -1 outside the layers
 * @param path  the scope, outermost first; empty at the top
 */
public record Site(Builder b, StepSpec spec, int layer, String path) {
    public Site {
        Objects.requireNonNull(b);
        Objects.requireNonNull(spec);
        Objects.requireNonNull(path);
    }

    /** The top of a model. */
    public static Site top(Builder b, StepSpec spec) {
        return new Site(b, spec, -1, "");
    }

    /** The scope of a layer. */
    public Site layer(int index) {
        return new Site(b, spec, index, Role.layer(index).path());
    }

    /** A scope inside this one. */
    public Site in(String name) {
        return new Site(b, spec, layer, path.isEmpty() ? name : path + "." + name);
    }

    /** The weight of this scope, F32 of the given extents. */
    public Value weight(int... dims) throws TraceException {
        return b.weight(new Role(path), dims);
    }

    /** The bias of this scope, F32 [n]. */
    public Value bias(int n) throws TraceException {
        return b.weight(new Role(path).in("bias"), n);
    }

    /** The step's shape. */
    public StepShape shape() {
        return spec.shape();
    }

    /** Sequences of the step: R. */
    public int rows() {
        return shape().rows();
    }

    /** New tokens of each sequence, padding included: T. */
    public int tokens() {
        return shape().tokens();
    }

    /** Positions one row may reach: the cache's capacity, or the tokens of a stateless pass. */
    public int reach() {
        return spec.program() == ProgramName.ENCODE ? tokens() : shape().capacity();
    }

    /** A value of the step that the driver computes. */
    public Value input(StepInput input) throws TraceException {
        return input.in(b, shape());
    }
}
