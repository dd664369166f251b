package poot.core.kernel.ir;

/** What a thread knows of its place; each U32. */
public enum Builtin {
    /** The workgroup in the grid. */
    WORKGROUP_X, WORKGROUP_Y, WORKGROUP_Z,
    /** Workgroups in the grid. */
    GRID_X, GRID_Y, GRID_Z,
    /** The thread in its workgroup: {@code SUBGROUP * subgroup size + LANE}. */
    THREAD,
    /** The thread in its subgroup. */
    LANE,
    /** The subgroup in its workgroup. */
    SUBGROUP
}
