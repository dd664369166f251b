package poot.backend.vulkan.spirv;

import java.util.List;
import poot.core.kernel.ir.Param;

/**
 * Where the parameters of a kernel lie in the block it is launched with: in order, addresses in 8 bytes, scalars in 4,
 * each aligned to its size.
 *
 * @param offsets of each parameter, in bytes
 * @param bytes of the block, a multiple of 8
 * @param pushed the block is pushed with the dispatch; else its address is, and it lies in device memory
 */
public record ParameterLayout(List<Integer> offsets, int bytes, boolean pushed) {
    /** Bytes of an address. */
    public static final int ADDRESS_BYTES = 8;
    /** Bytes of a scalar. */
    public static final int SCALAR_BYTES = 4;

    public ParameterLayout {
        offsets = List.copyOf(offsets);
    }

    /** The layout of {@code params} where at most {@code pushBytes} can be pushed. */
    static ParameterLayout of(List<Param> params, int pushBytes) {
        Integer[] offsets = new Integer[params.size()];
        int at = 0;
        for (int i = 0; i < offsets.length; i++) {
            int size = params.get(i) instanceof Param.Buffer ? ADDRESS_BYTES : SCALAR_BYTES;
            at = (at + size - 1) & -size;
            offsets[i] = at;
            at += size;
        }
        int bytes = (at + ADDRESS_BYTES - 1) & -ADDRESS_BYTES;
        return new ParameterLayout(List.of(offsets), bytes, bytes <= pushBytes);
    }

    /** Bytes pushed with a dispatch. */
    public int pushedBytes() {
        return pushed ? bytes : ADDRESS_BYTES;
    }
}
