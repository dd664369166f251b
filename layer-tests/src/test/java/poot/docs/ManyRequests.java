package poot.docs;

import java.nio.file.Path;
import java.util.List;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SeqRequest;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.model.TextCodec;
import poot.core.driver.Backends;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.core.engine.Engine;
import poot.core.engine.EngineOptions;
import poot.core.engine.TextReply;
import poot.core.engine.TextRules;
import poot.families.Families;

/** A program that serves requests of its own threads with one engine, as the readme shows it. */
public final class ManyRequests {
    private ManyRequests() {}

    /** Answers a question; {@code args} are the model and the question. */
    public static void main(String[] args) throws Exception {
        try (ModelHandle model = ModelHandle.load(Path.of(args[0]), Families.registry(), LoadOptions.DEFAULT);
                Executor executor = Backends.best(ExecutorOptions.DEFAULT);
                Engine engine = Engine.start(Driver.over(model, executor, DriverOptions.DEFAULT.withRows(4).withCapacity(256))
                        .prepare().orElseThrow(), EngineOptions.DEFAULT)) {
            TextCodec text = model.text().orElseThrow();
            int[] prompt = text.encodeRendered(text.render(List.of(new TextCodec.ChatMessage("user", args[1]))));
            GenerateLimits limits = new GenerateLimits(64, engine.config().endOfSequence());
            try (TextReply reply = TextReply.of(engine.submit(SeqRequest.of(prompt), limits), text, TextRules.PLAIN)) {
                reply.forEach(System.out::print);
            }
        }
    }
}
