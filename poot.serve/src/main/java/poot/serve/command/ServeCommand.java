package poot.serve.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import poot.core.hub.ModelReference;
import poot.serve.config.ModelSetup;
import poot.serve.config.ServerOptions;
import poot.serve.config.Setting;
import poot.serve.config.Settings;
import poot.serve.http.PootServer;

/** Serves a model over HTTP until the process is told to stop. */
@Command(name = "serve", mixinStandardHelpOptions = true, sortOptions = false, modelTransformer = ServeCommand.Flags.class,
        description = "Serves a model over the HTTP interface of OpenAI until it is told to stop (SIGTERM, ctrl-C).",
        footer = {"", "Each setting is a flag, a variable of the environment (--max-body is POOT_SERVE_MAX_BODY) and a key of the",
            "--config file (max-body = 1000000); a flag goes before a variable, that before the file. Lines of the log are JSON,",
            "on standard output.", "", "Examples:", "  poot serve -m model.gguf --port 8000",
            "  curl localhost:8080/v1/chat/completions -H 'Content-Type: application/json' \\",
            "    -d '{\"messages\": [{\"role\": \"user\", \"content\": \"Hello!\"}]}'"})
final class ServeCommand implements Callable<Integer> {
    private final Console console = new Console();
    /** Held, for a logger that nothing holds forgets its level. */
    private final Logger library = Logger.getLogger("io.helidon");

    @Spec
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "A properties file of settings; also POOT_SERVE_CONFIG.")
    private Path config;

    /** Makes a flag of every setting. */
    static final class Flags implements IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec command) {
            for (Setting s : Setting.ALL) {
                OptionSpec.Builder option = s.name().equals("model") ? OptionSpec.builder("-m", "--model") : OptionSpec.builder("--" + s.name());
                String usual = s.usual().isEmpty() ? "" : " Default: " + s.usual() + ".";
                if (s.isSwitch()) {
                    option.arity("0..1").fallbackValue("true"); // The bare flag says yes, as of every other command.
                }
                command.addOption(option.type(String.class).paramLabel(s.param()).description(sentence(s.text()) + usual).build());
            }
            return command;
        }

        private static String sentence(String text) {
            return Character.toUpperCase(text.charAt(0)) + text.substring(1).replace("%", "%%") + ".";
        }
    }

    @Override
    public Integer call() throws Exception {
        library.setLevel(Level.WARNING);
        Settings settings = Settings.of(flags(), System.getenv(), file());
        settings.lines().forEach(l -> console.err().println("poot: " + l));
        ModelSetup setup = ModelSetup.of(settings);
        ServerOptions options = ServerOptions.of(settings);
        String named = settings.text("model").isPresent() ? settings.text("model").get() : ModelOptions.demo().toString();
        Path model = NamedModel.path(named, settings.flag("offline"), console);
        PootServer.Builder builder = PootServer.builder().model(ModelReference.parse(named), setup)
                .model(model, setup).options(options).log(console::line);
        settings.text("name").ifPresent(builder::name);
        CountDownLatch stopped = new CountDownLatch(1);
        PootServer server = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            console.err().println("poot: stopping; running answers have " + settings.text("drain-timeout").orElse("0") + " s");
            server.close();
            console.flush();
            stopped.countDown();
        }, "drain"));
        console.err().println("poot: " + server.url().orElseThrow() + " serves " + named + "; ctrl-C stops it");
        stopped.await();
        return 0;
    }

    private Map<String, String> flags() {
        Map<String, String> out = new LinkedHashMap<>();
        for (Setting s : Setting.ALL) {
            String value = spec.findOption("--" + s.name()).getValue();
            if (value != null) {
                out.put(s.name(), value);
            }
        }
        return out;
    }

    private Optional<Path> file() {
        return Optional.ofNullable(config).or(() -> Optional.ofNullable(System.getenv("POOT_SERVE_CONFIG")).map(Path::of));
    }
}
