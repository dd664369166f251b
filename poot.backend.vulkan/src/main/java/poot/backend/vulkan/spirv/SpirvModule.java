package poot.backend.vulkan.spirv;

import java.util.TreeSet;

/**
 * A module being written: the sections of SPIR-V's logical layout (specification, section 2.4), each filled in any order,
 * and put one after the other at the end.
 */
final class SpirvModule {
    /** Whoever reads a module's header finds a generator there; 0 is for those without a registered number. */
    private static final int GENERATOR = 0;

    private final TreeSet<Integer> capabilities = new TreeSet<>();
    private final TreeSet<String> extensions = new TreeSet<>();
    private final Words modes = new Words();
    private final Words names = new Words();
    private final Words decorations = new Words();
    private final Words globals = new Words();
    private final Words code = new Words();
    private int nextId = 1;
    private int glsl;

    /** A fresh id. */
    int id() {
        return nextId++;
    }

    /** Declares a capability, once. */
    void capability(int capability) {
        capabilities.add(capability);
    }

    /** Declares an extension, once. */
    void extension(String name) {
        extensions.add(name);
    }

    /** The id of the instruction set GLSL.std.450, imported on first use. */
    int glsl() {
        if (glsl == 0) {
            glsl = id();
        }
        return glsl;
    }

    /** Execution modes of the entry point. */
    Words modes() {
        return modes;
    }

    /** Names for people who read the module. */
    Words names() {
        return names;
    }

    /** Decorations. */
    Words decorations() {
        return decorations;
    }

    /** Types, constants and variables outside the function. */
    Words globals() {
        return globals;
    }

    /** The function. */
    Words code() {
        return code;
    }

    /** Decorates an id. */
    void decorate(int id, int decoration, int... operands) {
        int[] all = new int[operands.length + 2];
        all[0] = id;
        all[1] = decoration;
        System.arraycopy(operands, 0, all, 2, operands.length);
        decorations.op(Op.DECORATE, all);
    }

    /**
     * The module's words.
     *
     * @param function the entry point's function
     * @param name its name
     * @param interfaces the ids of the global variables it uses
     */
    int[] words(int function, String name, int[] interfaces) {
        Words all = new Words();
        all.add(Spirv.MAGIC);
        all.add(Spirv.VERSION_1_6);
        all.add(GENERATOR);
        all.add(nextId);
        all.add(0);
        capabilities.forEach(c -> all.op(Op.CAPABILITY, c));
        extensions.forEach(e -> all.op(Op.EXTENSION, new int[0], e));
        if (glsl != 0) {
            all.op(Op.EXT_INST_IMPORT, new int[] {glsl}, "GLSL.std.450");
        }
        all.op(Op.MEMORY_MODEL, Spirv.ADDRESSING_PHYSICAL_STORAGE_BUFFER_64, Spirv.MEMORY_MODEL_VULKAN);
        all.op(Op.ENTRY_POINT, new int[] {Spirv.EXECUTION_MODEL_COMPUTE, function}, name, interfaces);
        all.add(modes);
        all.add(names);
        all.add(decorations);
        all.add(globals);
        all.add(code);
        return all.toArray();
    }
}
