package poot.golden;

import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.api.model.LoadException;
import poot.api.model.Model;
import poot.api.model.Registry;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;

/** A loaded checkpoint, without text, as steps run by hand need it. */
public record OpenModel(ModelHandle handle) implements AutoCloseable {
    /** Loads a Hugging Face directory or a GGUF file. */
    public static OpenModel open(Path path, Registry registry) throws LoadException {
        return new OpenModel(ModelHandle.load(path, registry, new LoadOptions(LoadOptions.Text.NONE)));
    }

    /** What traces the model. */
    public Model model() {
        return handle.model();
    }

    /** The stored weight of every role. */
    public SortedMap<Role, Weight> weights() {
        return new TreeMap<>(handle.weights());
    }

    @Override
    public void close() {
        handle.close();
    }
}
