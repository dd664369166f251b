package poot.core.compile;

/**
 * What one pass did.
 *
 * @param pass   its name
 * @param unit   what is counted: equations of the graph, or kernels
 * @param before how many there were
 * @param after  how many it left
 * @param fired  whether it changed anything, be it only what the equations say
 */
public record PassEffect(String pass, Unit unit, int before, int after, boolean fired) {
    /** What a pass works on. */
    public enum Unit {
        /** Equations of a graph. */
        EQUATIONS,
        /** Kernels of a program. */
        KERNELS
    }

    /** How many it took away; negative where it added. */
    public int removed() {
        return before - after;
    }
}
