package poot.api.graph;

import poot.api.graph.TraceLimits.Resource;

/** What a trace has used so far; shared by a builder and the bodies it records. */
final class Budget {
    /** Rough heap bytes of an equation record with its lists, and of a value with its type and shape. */
    private static final long EQUATION_BYTES = 160;
    private static final long VALUE_BYTES = 96;

    private final TraceLimits limits;
    private long values;
    private long equations;
    private long literalBytes;
    private long ownedBytes;

    Budget(TraceLimits limits) {
        this.limits = limits;
    }

    /** Charges an equation about to be appended. */
    void charge(Op op, int results) throws TraceException {
        long literal = op instanceof Op.Literal l ? 4L * l.data().count() : 0;
        long nextValues = fits(Resource.VALUES, values + results);
        long nextEquations = fits(Resource.EQUATIONS, equations + 1);
        long nextLiteral = fits(Resource.LITERAL_BYTES, literalBytes + literal);
        long nextOwned = fits(Resource.OWNED_BYTES, ownedBytes + EQUATION_BYTES + results * VALUE_BYTES + literal);
        values = nextValues;
        equations = nextEquations;
        literalBytes = nextLiteral;
        ownedBytes = nextOwned;
    }

    /** Charges an equation of a graph that is continued, bodies included. */
    void charge(Equation e) throws TraceException {
        charge(e.op(), e.outputs().size());
        if (e.op() instanceof Op.Composed c) {
            for (Equation inner : c.body().equations()) {
                charge(inner);
            }
        }
    }

    private long fits(Resource r, long attempted) throws TraceException {
        if (attempted > limits.of(r)) {
            throw new TraceException(new TraceException.Budget(r, limits.of(r), attempted));
        }
        return attempted;
    }
}
