package poot.core.kernel.generate.product;

import java.util.Optional;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * What all parts of one launch share.
 *
 * @param rows U32, of x, with experts of the result
 * @param staging room for some of x, where a part needs it
 * @param parts room for the subgroups' sums, where a part needs it
 * @param norm what is done to x first
 */
record RowSetting(KernelBuilder b, Reg rows, Optional<SharedArray> staging, Optional<SharedArray> parts, Optional<RowNorm> norm) {}
