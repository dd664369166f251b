package poot.serve.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import poot.core.hub.ByteCount;
import poot.core.hub.CachedModel;
import poot.core.hub.HubException;
import poot.core.hub.Removal;

/** Removes models from the cache. */
@Command(name = "rm", mixinStandardHelpOptions = true, sortOptions = false,
        description = {"Removes models from the cache and says what that frees; files that another model needs stay.",
            "Without a choice every model of the repository goes, and what an interrupted pull left."},
        footer = {"", "Example:", "  poot rm hf.co/OWNER/REPO:Q8_0"})
final class RemoveCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Parameters(arity = "1..*", paramLabel = "REF", description = "A name as poot list shows it: hf.co/OWNER/REPO[@REVISION][:FILE or QUANT]")
    private List<String> names = new ArrayList<>();

    @Override
    public Integer call() throws CommandFailure {
        for (String name : names) {
            try {
                Removal removal = NamedModel.models(true).cache().remove(NamedModel.onHub(name));
                for (CachedModel m : removal.models()) {
                    console.err().println("poot: removed " + m.pinnedName());
                }
                console.err().println("poot: freed " + ByteCount.text(removal.freed())
                        + (removal.unfinished() > 0 ? " (" + ByteCount.text(removal.unfinished()) + " of it unfinished)" : "")
                        + (removal.kept() > 0 ? "; " + ByteCount.text(removal.kept()) + " stay, another model needs them" : ""));
            } catch (HubException e) {
                throw new CommandFailure(e.getMessage(), e);
            }
        }
        return 0;
    }
}
