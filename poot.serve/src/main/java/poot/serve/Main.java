package poot.serve;

import picocli.CommandLine;

/** The {@code poot} command. */
@CommandLine.Command(name = "poot", mixinStandardHelpOptions = true, description = "Runs language models.")
public final class Main implements Runnable {
    /** Starts the command. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }
}
