package poot.api.model;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds the one family of a checkpoint's key, before any weight is read. Immutable. */
public final class Registry {
    private final Map<FamilyKey, FamilyEntry> entries;

    private Registry(Map<FamilyKey, FamilyEntry> entries) {
        this.entries = entries;
    }

    /**
     * A registry of the given families.
     *
     * @throws RegistryException if two of them claim one key
     */
    public static Registry of(Collection<FamilyEntry> families) throws RegistryException {
        Map<FamilyKey, FamilyEntry> entries = new LinkedHashMap<>();
        for (FamilyEntry f : families) {
            for (FamilyKey key : f.keys()) {
                FamilyEntry other = entries.putIfAbsent(key, f);
                if (other != null) {
                    throw new RegistryException(new RegistryException.Duplicate(key, other.family(), f.family()));
                }
            }
        }
        return new Registry(entries);
    }

    /** The families, in the order given. */
    public Collection<FamilyEntry> families() {
        return new LinkedHashSet<>(entries.values());
    }

    /**
     * The family of a key.
     *
     * @throws RegistryException if no family holds it
     */
    public FamilyEntry resolve(FamilyKey key) throws RegistryException {
        FamilyEntry entry = entries.get(key);
        if (entry == null) {
            SortedSet<String> known = new TreeSet<>();
            entries.keySet().stream().filter(k -> k.source() == key.source()).forEach(k -> known.add(k.name()));
            throw new RegistryException(new RegistryException.Unregistered(key, known));
        }
        return entry;
    }

    /** The key of a configuration: {@code model_type} or {@code general.architecture}. */
    public static FamilyKey keyOf(RawConfig config) throws ConfigException {
        return switch (config.source()) {
            case HF -> FamilyKey.hf(config.text("model_type"));
            case GGUF -> FamilyKey.gguf(config.text("general.architecture"));
        };
    }
}
