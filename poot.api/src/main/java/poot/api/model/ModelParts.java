package poot.api.model;

import java.util.Objects;

/** What a family builds from a checkpoint: the text model. */
public final class ModelParts {
    private final Model model;

    private ModelParts(Model model) {
        this.model = Objects.requireNonNull(model);
    }

    /** A text model alone. */
    public static ModelParts of(Model model) {
        return new ModelParts(model);
    }

    /** The text model. */
    public Model model() {
        return model;
    }
}
