package poot.serve.command;

import java.nio.file.Path;
import poot.core.hub.HubException;
import poot.core.hub.HubOptions;
import poot.core.hub.ModelReference;
import poot.core.hub.ModelReference.OnHub;
import poot.core.hub.Models;

/** What a command line names a model by, as a path; what is not on this machine is pulled, which is shown. */
final class NamedModel {
    private NamedModel() {}

    /** The path of a model. */
    static Path path(String name, boolean offline, Console console) throws CommandFailure {
        try {
            return switch (ModelReference.parse(name)) {
                case ModelReference.Local local -> local.path();
                case OnHub hub -> pulled(hub, offline, console);
            };
        } catch (HubException e) {
            throw new CommandFailure(e.getMessage(), e);
        }
    }

    private static Path pulled(OnHub hub, boolean offline, Console console) throws HubException {
        PullBar bar = new PullBar(console);
        try {
            return models(offline).path(hub, bar);
        } finally {
            bar.close();
        }
    }

    /** Models as the environment says, with the network switched off if the command line says so. */
    static Models models(boolean offline) throws HubException {
        HubOptions options = HubOptions.fromEnvironment();
        return Models.of(offline ? options.withOffline(true) : options);
    }

    /** A reference to the hub; a path is refused. */
    static OnHub onHub(String name) throws CommandFailure {
        try {
            if (ModelReference.parse(name) instanceof OnHub hub) {
                return hub;
            }
        } catch (HubException e) {
            throw new CommandFailure(e.getMessage(), e);
        }
        throw new CommandFailure(name + ": a path, not a name; write hf.co/OWNER/REPO[@REVISION][:FILE or QUANT]");
    }
}
