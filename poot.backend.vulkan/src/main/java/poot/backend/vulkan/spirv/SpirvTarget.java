package poot.backend.vulkan.spirv;

/**
 * What of a device decides which instructions a kernel becomes.
 *
 * @param halfConversions F16 is converted by one instruction, exactly: subnormal numbers kept, rounding to the nearest even
 * @param keepsSpecials infinities, NaN and the sign of zero can be asked to be respected in F32
 * @param integerDot the packed dot product of four signed bytes is an instruction
 * @param fmaInDouble a fused multiply-add of F32 is spelled out in 64-bit numbers, since the device's own rounds twice
 * @param pushBytes bytes of parameters that can be pushed with a dispatch; more go through a record in memory
 */
public record SpirvTarget(boolean halfConversions, boolean keepsSpecials, boolean integerDot, boolean fmaInDouble,
        int pushBytes) {
    public SpirvTarget {
        if (pushBytes < ParameterLayout.ADDRESS_BYTES) {
            throw new IllegalArgumentException("pushBytes " + pushBytes + "; an address needs " + ParameterLayout.ADDRESS_BYTES);
        }
    }

    /** The same with the fused multiply-add spelled out, or not. */
    public SpirvTarget withFmaInDouble(boolean value) {
        return new SpirvTarget(halfConversions, keepsSpecials, integerDot, value, pushBytes);
    }
}
