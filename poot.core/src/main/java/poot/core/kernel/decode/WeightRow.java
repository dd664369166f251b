package poot.core.kernel.decode;

import poot.core.kernel.ir.Reg;

/** A row of a stored weight in a kernel that is being written. */
@FunctionalInterface
public interface WeightRow {
    /** Writes the code that decodes the elements {@code run * length} on of the row; {@code run} is U32 and within the row. */
    Run run(Reg run);
}
