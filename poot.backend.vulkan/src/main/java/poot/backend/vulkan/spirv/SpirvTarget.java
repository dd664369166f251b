package poot.backend.vulkan.spirv;

/**
 * What of a device decides which instructions a kernel becomes.
 *
 * @param halfConversions F16 is converted by one instruction, exactly: subnormal numbers kept, rounding to the nearest even
 * @param keepsSpecials infinities, NaN and the sign of zero can be asked to be respected in F32
 * @param integerDot the packed dot product of four signed bytes is an instruction
 * @param pushBytes bytes of parameters that can be pushed with a dispatch; more go through a record in memory
 */
public record SpirvTarget(boolean halfConversions, boolean keepsSpecials, boolean integerDot, int pushBytes) {
    public SpirvTarget {
        if (pushBytes < ParameterLayout.ADDRESS_BYTES) {
            throw new IllegalArgumentException("pushBytes " + pushBytes + "; an address needs " + ParameterLayout.ADDRESS_BYTES);
        }
    }
}
