package poot.docs;

import java.nio.file.Path;
import java.util.List;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.model.TextCodec;
import poot.core.driver.Backends;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;

/** A program that embeds poot, as the readme shows it. */
public final class Embedding {
    private Embedding() {}

    /** Answers a question; {@code args} are the model and the question. */
    public static void main(String[] args) throws Exception {
        try (ModelHandle model = ModelHandle.load(Path.of(args[0]), Families.registry(), LoadOptions.DEFAULT);
                Executor executor = Backends.best(ExecutorOptions.DEFAULT);
                ServingDriver driver = Driver.over(model, executor, DriverOptions.DEFAULT.withCapacity(256)).prepare().orElseThrow()) {
            TextCodec text = model.text().orElseThrow();
            int[] prompt = text.encodeRendered(text.render(List.of(new TextCodec.ChatMessage("user", args[1]))));
            TextCodec.Stream stream = text.stream(true);
            GenerateLimits limits = new GenerateLimits(64, driver.config().endOfSequence());
            driver.generate(SeqRequest.of(prompt), limits, pick -> { System.out.print(stream.next(pick.token())); return true; });
            System.out.println(stream.finish());
        }
    }
}
