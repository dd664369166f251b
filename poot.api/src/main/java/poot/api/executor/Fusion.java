package poot.api.executor;

/** How far the equations of a {@link Program} are joined into kernels. The results are the same, bit for bit. */
public enum Fusion {
    /** One kernel an equation; weight reads still stand inside the kernels that consume them. */
    OFF,
    /** Chains of elementwise equations become one kernel. */
    POINTWISE,
    /** Also products of one operand, what is applied to their results, and rows. */
    FULL
}
