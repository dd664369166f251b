package poot.examples.spark;

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

/** The demo model, and one driver that answers one prompt after the other: what every answer is compared with. */
final class Alone implements AutoCloseable {
    private final ModelHandle model;
    private final Executor executor;
    private final ServingDriver driver;

    Alone(Path path) throws Exception {
        model = ModelHandle.load(path, Families.registry(), LoadOptions.DEFAULT);
        executor = Backends.best(ExecutorOptions.DEFAULT);
        driver = Driver.over(model, executor, DriverOptions.DEFAULT.withCapacity(512)).prepare().orElseThrow();
    }

    /** Where the demo model lies. */
    static Path demoModel() {
        return Path.of(System.getProperty("poot.model")).normalize();
    }

    String answer(String prompt, int tokens) throws Exception {
        TextCodec text = model.text().orElseThrow();
        int[] ids = text.encodeRendered(text.render(List.of(new TextCodec.ChatMessage("user", prompt))));
        TextCodec.Stream stream = text.stream(true);
        StringBuilder answer = new StringBuilder();
        driver.generate(SeqRequest.of(ids), new GenerateLimits(tokens, driver.config().endOfSequence()), pick -> {
            answer.append(stream.next(pick.token()));
            return true;
        });
        return answer.append(stream.finish()).toString();
    }

    @Override
    public void close() {
        driver.close();
        executor.close();
        model.close();
    }
}
