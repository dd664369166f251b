package poot.backend.vulkan.spirv;

/**
 * A kernel as a SPIR-V module.
 *
 * @param words the module; SPIR-V 1.6, entry point {@link #ENTRY_POINT}
 * @param parameters where its parameters lie
 * @param subgroups whether it must run in full subgroups of the size its kernel names
 */
public record SpirvCode(int[] words, ParameterLayout parameters, boolean subgroups) {
    /** The name of the entry point. */
    public static final String ENTRY_POINT = "main";
}
