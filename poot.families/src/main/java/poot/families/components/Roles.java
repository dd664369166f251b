package poot.families.components;

import java.util.SortedMap;
import java.util.TreeMap;
import poot.api.graph.Builder;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.model.StepSpec;

/** The weights a model reads: the constants its graphs record. */
public final class Roles {
    private static final TraceLimits UNBOUNDED =
            new TraceLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    private Roles() {}

    /** The body of a model's tracer. */
    @FunctionalInterface
    public interface Tracer {
        /** Records a step at the top of a model. */
        void trace(Site top) throws TraceException;
    }

    /**
     * The roles one step of a model records, with the shapes of their weights.
     *
     * @throws IllegalStateException if the step cannot be traced: a fault of the family, whose parameters are checked
     */
    public static SortedMap<Role, Shape> recorded(StepSpec spec, Tracer tracer) {
        Builder b = Builder.with(UNBOUNDED);
        try {
            tracer.trace(Site.top(b, spec));
        } catch (TraceException e) {
            throw new IllegalStateException("checked parameters cannot be traced: " + e.getMessage(), e);
        }
        SortedMap<Role, Shape> roles = new TreeMap<>();
        for (Op.Const c : b.finish().constants()) {
            roles.put(c.role(), c.type().shape());
        }
        return roles;
    }
}
