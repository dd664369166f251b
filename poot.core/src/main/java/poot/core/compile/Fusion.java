package poot.core.compile;

/** How far equations are joined into kernels. The results are the same, bit for bit, on every backend. */
public enum Fusion {
    /** One kernel an equation; weight reads still stand inside the kernels that consume them. */
    OFF,
    /** Chains of elementwise equations become one kernel. */
    POINTWISE,
    /** Also products of one operand, what is applied to their results, and rows. */
    FULL
}
