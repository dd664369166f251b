package poot.core.driver;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.api.model.FamilyEntry;
import poot.api.model.LoadException;
import poot.api.model.Model;
import poot.api.model.Registry;
import poot.api.model.TextCodec;
import poot.api.model.WeightException;
import poot.api.model.WeightStore;
import poot.core.checkpoint.Checkpoint;
import poot.core.hub.HubException;
import poot.core.hub.ModelReference;
import poot.core.hub.Models;
import poot.core.hub.PullListener;
import poot.core.text.CheckpointTextCodec;

/**
 * A loaded model: what traces it, its mapped weights by role, and its text codec. Shared by reference: every driver
 * over it holds one reference, its loader another; the mapped weights are unmapped when the last of them closes.
 * Safe for use by several threads.
 */
public final class ModelHandle implements AutoCloseable {
    private final Model model;
    private final SortedMap<Role, Weight> weights;
    private final Optional<TextCodec> text;
    private final Runnable unmap;
    private int references = 1;
    private boolean closed;

    ModelHandle(Model model, SortedMap<Role, Weight> weights, Optional<TextCodec> text, Runnable unmap) {
        this.model = model;
        this.weights = Collections.unmodifiableSortedMap(weights);
        this.text = text;
        this.unmap = unmap;
    }

    /**
     * Loads a checkpoint: the family is resolved before any weight is read, the model built, every role bound to its
     * mapped tensor, and the text codec built.
     *
     * @param path     a Hugging Face directory, or a GGUF file or set
     * @param registry the families to resolve among
     * @throws LoadException if the checkpoint, its configuration, a tensor or the tokenizer is refused, or no family
     *     is registered for it; nothing stays open
     */
    public static ModelHandle load(Path path, Registry registry, LoadOptions options) throws LoadException {
        Checkpoint checkpoint = Checkpoint.open(path, new StoredFormats());
        boolean loaded = false;
        try {
            FamilyEntry family = registry.resolve(checkpoint.key());
            WeightStore store = checkpoint.weights();
            Model model = family.build().build(checkpoint.config(), store).model();
            SortedMap<Role, Weight> weights = model.weights().bind(store);
            Optional<TextCodec> text = text(checkpoint, options, model.config().vocabulary());
            loaded = true;
            return new ModelHandle(model, weights, text, checkpoint::close);
        } catch (WeightException e) {
            throw e.in(path.toString());
        } finally {
            if (!loaded) {
                checkpoint.close();
            }
        }
    }

    /**
     * Loads a model by its name: a path, or {@code hf.co/OWNER/REPO[@REVISION][:FILE or QUANT]}, which is pulled into the
     * cache if it is not there; see {@link Models}.
     *
     * @throws HubException  if the name is none, or the model cannot be pulled
     * @throws LoadException as for a path
     */
    public static ModelHandle load(String name, Registry registry, LoadOptions options) throws HubException, LoadException {
        return load(Models.fromEnvironment().path(ModelReference.parse(name), PullListener.NONE), registry, options);
    }

    private static Optional<TextCodec> text(Checkpoint checkpoint, LoadOptions options, int vocabulary) throws LoadException {
        boolean wanted = switch (options.text()) {
            case REQUIRED -> true;
            case IF_PRESENT -> CheckpointTextCodec.isIn(checkpoint);
            case NONE -> false;
        };
        return wanted ? Optional.of(CheckpointTextCodec.read(checkpoint, vocabulary)) : Optional.empty();
    }

    /**
     * A handle on a model and its weights, without text.
     *
     * @param store owned by the handle from now on
     * @throws WeightException naming the first tensor that is missing or of another shape
     */
    public static ModelHandle of(Model model, WeightStore store) throws WeightException {
        return new ModelHandle(model, model.weights().bind(store), Optional.empty(), store::close);
    }

    /** What traces the model. */
    public Model model() {
        return model;
    }

    /** The stored weight of every role. */
    public Map<Role, Weight> weights() {
        return weights;
    }

    /** The checkpoint's text codec. */
    public Optional<TextCodec> text() {
        return text;
    }

    /** Takes one more reference. */
    synchronized void retain() {
        if (references == 0) {
            throw new IllegalStateException("the model is closed");
        }
        references++;
    }

    /** Gives one reference back. */
    synchronized void release() {
        if (--references == 0) {
            unmap.run();
        }
    }

    /** Gives the loader's reference back; drivers still open keep the model alive. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }
}
