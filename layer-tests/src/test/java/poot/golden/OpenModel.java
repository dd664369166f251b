package poot.golden;

import java.nio.file.Path;
import java.util.SortedMap;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.api.model.LoadException;
import poot.api.model.Model;
import poot.api.model.Registry;
import poot.api.model.WeightStore;
import poot.core.checkpoint.Checkpoint;

/** A checkpoint opened, its family resolved, its weights bound. */
public record OpenModel(Checkpoint checkpoint, Model model, SortedMap<Role, Weight> weights) implements AutoCloseable {
    /** Opens a Hugging Face directory or a GGUF file. */
    public static OpenModel open(Path path, Registry registry) throws LoadException {
        Checkpoint checkpoint = Checkpoint.open(path, new KnownFormats());
        WeightStore store = checkpoint.weights();
        Model model = registry.resolve(checkpoint.key()).build().build(checkpoint.config(), store).model();
        return new OpenModel(checkpoint, model, model.weights().bind(store));
    }

    @Override
    public void close() {
        checkpoint.close();
    }
}
