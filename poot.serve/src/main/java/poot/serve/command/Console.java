package poot.serve.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Standard output and error in UTF-8, whatever the locale: results go to {@link #out}, everything else to {@link #err}. */
final class Console {
    private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    private final PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

    /** Where the result goes, and nothing else. Flushed by {@link #flush}. */
    PrintStream out() {
        return out;
    }

    /** Where progress, figures and errors go. */
    PrintStream err() {
        return err;
    }

    /** Writes a piece of the result at once. */
    void emit(String text) {
        out.print(text);
        out.flush();
    }

    /** Writes a line of the result, whole, whoever else writes. */
    void line(String text) {
        out.print(text + '\n');
        out.flush();
    }

    /** True if a person watches standard error. */
    boolean interactive() {
        return System.console() != null && System.console().isTerminal();
    }

    void flush() {
        out.flush();
        err.flush();
    }
}
