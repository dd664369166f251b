package poot.api.model;

import java.util.Objects;

/** What selects a family: a {@code model_type} of a Hugging Face config or a {@code general.architecture} of a GGUF. */
public record FamilyKey(ConfigSource source, String name) {
    public FamilyKey {
        Objects.requireNonNull(source);
        Objects.requireNonNull(name);
    }

    /** The key of a Hugging Face {@code model_type}. */
    public static FamilyKey hf(String modelType) {
        return new FamilyKey(ConfigSource.HF, modelType);
    }

    /** The key of a GGUF {@code general.architecture}. */
    public static FamilyKey gguf(String architecture) {
        return new FamilyKey(ConfigSource.GGUF, architecture);
    }

    @Override
    public String toString() {
        return switch (source) {
            case HF -> "model_type \"" + name + "\"";
            case GGUF -> "general.architecture \"" + name + "\"";
        };
    }
}
