package poot.core.kernel.ir;

/** What all lanes of a subgroup are joined with, in an order that is the device's affair. */
public enum ReduceOp {
    /** Numbers. */
    ADD, MIN, MAX,
    /** U32. */
    AND, OR;

    /** Whether operands of the type are taken. */
    public boolean takes(RegisterType type) {
        return switch (this) {
            case ADD, MIN, MAX -> type instanceof ScalarType t && t.isNumber();
            case AND, OR -> type == ScalarType.U32;
        };
    }
}
