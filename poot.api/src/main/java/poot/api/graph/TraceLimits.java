package poot.api.graph;

/**
 * What one trace may use. Each resource is checked before the thing it covers is allocated.
 *
 * @param tokens       new tokens over all rows
 * @param values       graph values, bodies of composites included
 * @param equations    equations, bodies of composites included
 * @param literalBytes bytes of literal data
 * @param ownedBytes   an estimate of the heap the graph keeps: equations, values, literals
 */
public record TraceLimits(long tokens, long values, long equations, long literalBytes, long ownedBytes) {
    /** Generous for any shipped family: 1 Mi tokens, 4 Mi values and equations, 64 MiB literals, 2 GiB owned. */
    public static final TraceLimits DEFAULT = new TraceLimits(1 << 20, 1 << 22, 1 << 22, 1L << 26, 1L << 31);

    /** A resource of a trace. */
    public enum Resource { TOKENS, VALUES, EQUATIONS, LITERAL_BYTES, OWNED_BYTES }

    /** The limit of a resource. */
    public long of(Resource r) {
        return switch (r) {
            case TOKENS -> tokens;
            case VALUES -> values;
            case EQUATIONS -> equations;
            case LITERAL_BYTES -> literalBytes;
            case OWNED_BYTES -> ownedBytes;
        };
    }
}
