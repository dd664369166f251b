package poot.serve.http;

import java.nio.file.Path;
import poot.api.driver.ServingDriver;
import poot.core.driver.ModelHandle;
import poot.core.engine.Engine;
import poot.core.hub.ModelReference;
import poot.serve.config.ModelSetup;

/** What a server is made of. */
sealed interface Source {
    /** A checkpoint, which the server loads, prepares and closes. */
    record Checkpoint(Path path, ModelSetup setup) implements Source {}

    /** A checkpoint by name: a path, or a reference to the hub, pulled if it is not cached. */
    record Named(ModelReference reference, ModelSetup setup) implements Source {}

    /** A driver, which becomes the server's; the model stays the caller's. */
    record Prepared(ServingDriver driver, ModelHandle model, ModelSetup setup) implements Source {}

    /** An engine; it and the model stay the caller's. */
    record Running(Engine engine, ModelHandle model) implements Source {}
}
