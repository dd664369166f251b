package poot.serve.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import poot.core.hub.ByteCount;
import poot.core.hub.CachedModel;
import poot.core.hub.HubException;
import poot.core.hub.Models;

/** Brings models into the cache. */
@Command(name = "pull", mixinStandardHelpOptions = true, sortOptions = false,
        description = {"Brings models into the cache, or up to date with their revision; writes the path of each.",
            "What was interrupted goes on from where it stopped; every file is checked against its digest."},
        footer = {"", "Examples:",
            "  poot pull hf.co/OWNER/REPO                 the safetensors checkpoint, or the only or Q4_K_M GGUF file",
            "  poot pull hf.co/OWNER/REPO:Q8_0            the GGUF file of that quantization",
            "  poot pull hf.co/OWNER/REPO@v1.0:model.gguf a file of a branch, tag or commit",
            "", "Environment: HF_TOKEN (gated and private models), HF_ENDPOINT (another hub), POOT_CACHE (default ~/.cache/poot),",
            "POOT_OFFLINE or HF_HUB_OFFLINE (1: use the cache alone)."})
final class PullCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Parameters(arity = "1..*", paramLabel = "REF", description = "hf.co/OWNER/REPO[@REVISION][:FILE or QUANT]")
    private List<String> names = new ArrayList<>();

    @Option(names = "--offline", description = "Refuse to use the network.")
    private boolean offline;

    @Override
    public Integer call() throws CommandFailure {
        for (String name : names) {
            PullBar bar = new PullBar(console);
            CachedModel model;
            try {
                Models models = NamedModel.models(offline);
                model = models.pull(NamedModel.onHub(name), bar);
            } catch (HubException e) {
                throw new CommandFailure(e.getMessage(), e);
            } finally {
                bar.close();
            }
            console.err().println("poot: " + model.name() + " at " + model.commit().substring(0, 12) + ": " + ByteCount.text(model.bytes()));
            console.line(model.path().toString());
        }
        return 0;
    }
}
