package poot.serve.command;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import poot.api.driver.AdmitException;
import poot.api.driver.StepException;
import poot.api.executor.ExecutorException;
import poot.api.model.ChatException;
import poot.api.model.LoadException;
import poot.core.text.template.TemplateException;
import poot.serve.config.MemoryAdvice;
import poot.serve.config.SettingException;
import poot.serve.http.StartException;

/** The {@code poot} command: its subcommands, its version, and how errors reach a person. */
@Command(name = "poot", mixinStandardHelpOptions = true, versionProvider = PootCommand.Version.class,
        description = "Runs language models: no Python, no native build.",
        footer = {"", "Without --model a small demo model answers: poot chat \"Hello!\"",
            "Results go to standard output, everything else to standard error.",
            "Exit status: 0 done, 1 refused or failed, 2 wrong usage, 70 a fault in poot."})
public final class PootCommand implements Runnable {
    private static final int FAILED = 1;
    private static final int FAULT = 70;

    /** The subcommands, in the order of the help. */
    private static final Map<String, Supplier<Object>> COMMANDS = commands();

    @Spec
    private CommandSpec spec;

    private PootCommand() {}

    private static Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> all = new LinkedHashMap<>();
        all.put("generate", GenerateCommand::new);
        all.put("chat", ChatCommand::new);
        all.put("serve", ServeCommand::new);
        all.put("embed", EmbedCommand::new);
        all.put("rerank", RerankCommand::new);
        all.put("logits", LogitsCommand::new);
        all.put("tokenize", TokenizeCommand::new);
        all.put("detokenize", DetokenizeCommand::new);
        all.put("render", RenderCommand::new);
        all.put("info", InfoCommand::new);
        all.put("explain", ExplainCommand::new);
        all.put("pull", PullCommand::new);
        all.put("list", ListCommand::new);
        all.put("rm", RemoveCommand::new);
        all.put("backends", BackendsCommand::new);
        all.put("bench", BenchCommand::new);
        all.put("load", LoadCommand::new);
        return all;
    }

    /** Runs a command line; the process's exit status. */
    public static int execute(String... args) {
        boolean named = args.length > 0 && COMMANDS.containsKey(args[0]);
        CommandLine line = (named ? alone(args[0]) : all())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, words) -> misused(e))
                .setExecutionExceptionHandler((e, command, parsed) -> explain(e));
        try {
            return line.execute(named ? Arrays.copyOfRange(args, 1, args.length) : args);
        } catch (OutOfMemoryError e) {
            new Console().err().println("poot: not enough memory (" + e.getMessage()
                    + "); give a smaller --context, or more to Java: JAVA_TOOL_OPTIONS=-Xmx8g");
            return FAILED;
        }
    }

    /** One subcommand, without the time it takes to describe the others. */
    private static CommandLine alone(String name) {
        CommandLine line = new CommandLine(COMMANDS.get(name).get());
        line.getCommandSpec().name("poot " + name).versionProvider(new Version());
        return line;
    }

    private static CommandLine all() {
        CommandLine line = new CommandLine(new PootCommand());
        COMMANDS.forEach((name, command) -> line.addSubcommand(name, command.get()));
        return line;
    }

    /** Says what is wrong with the words of a command line and where its help is. */
    private static int misused(CommandLine.ParameterException e) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        new Console().err().println("poot: " + e.getMessage() + "\nSee " + command + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "give a command: " + String.join(", ", spec.subcommands().keySet()));
    }

    /** A refusal is its message; anything else is a fault in poot and shows where. */
    private static int explain(Exception e) {
        Console console = new Console();
        boolean refusal = e instanceof CommandFailure || e instanceof LoadException || e instanceof ExecutorException
                || e instanceof AdmitException || e instanceof StepException || e instanceof ChatException
                || e instanceof TemplateException || e instanceof SettingException || e instanceof StartException;
        if (refusal) {
            console.err().println("poot: " + (e instanceof ExecutorException x ? MemoryAdvice.message(x.fault()) : e.getMessage()));
            return FAILED;
        }
        if (e instanceof IOException) {
            console.err().println("poot: input or output failed: " + e);
            return FAILED;
        }
        console.err().println("poot: this is a fault in poot, please report it:");
        e.printStackTrace(console.err());
        return FAULT;
    }

    /** The module's version. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = PootCommand.class.getModule().getDescriptor().rawVersion().orElse("(development)");
            return new String[] {"poot " + version + ", Java " + Runtime.version()};
        }
    }
}
