package poot.families;

import java.util.ArrayList;
import java.util.List;
import poot.api.model.FamilyEntry;
import poot.api.model.Registry;
import poot.api.model.RegistryException;

/** The registry of the families poot ships. */
public final class Families {
    /** Every shipped family: the one list. */
    public static final List<FamilyEntry> SHIPPED = List.of(
            new Llama().entry(),
            new Mistral().entry(),
            new Qwen2().entry(),
            new Qwen3().entry(),
            new Gemma2().entry(),
            new Gemma3().entry(),
            new Phi3().entry(),
            new Olmo2().entry(),
            new Granite().entry(),
            new SmolLm3().entry(),
            new Bloom().entry(),
            new Mpt().entry(),
            Bert.entry());

    private static final Registry REGISTRY = builtin();

    private Families() {}

    /** The shipped families. */
    public static Registry registry() {
        return REGISTRY;
    }

    /**
     * The shipped families and others, for a test that brings a family of its own.
     *
     * @throws RegistryException if a key is claimed twice
     */
    public static Registry builtinPlus(FamilyEntry... more) throws RegistryException {
        List<FamilyEntry> all = new ArrayList<>(SHIPPED);
        all.addAll(List.of(more));
        return Registry.of(all);
    }

    private static Registry builtin() {
        try {
            return Registry.of(SHIPPED);
        } catch (RegistryException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
