package poot.serve;

import poot.serve.command.PootCommand;

/** Starts the {@code poot} command. */
final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(PootCommand.execute(args));
    }
}
