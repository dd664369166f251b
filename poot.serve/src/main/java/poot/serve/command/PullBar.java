package poot.serve.command;

import java.util.Locale;
import poot.core.hub.ByteCount;
import poot.core.hub.PullListener;
import poot.core.hub.PullProgress;
import poot.core.hub.PullProgress.Phase;

/** Shows a pull: a bar where a person watches, else a line at its begin, at every tenth of a large one, and at its end. */
final class PullBar implements PullListener {
    private static final int BAR = 32;
    private static final int WIDTH = 110;
    /** Bytes from which the lines in between are worth it. */
    private static final long LARGE = 100L << 20;

    private final Console console;
    private final boolean interactive;
    private Phase said;
    private long tenth;
    private boolean drawn;

    PullBar(Console console) {
        this.console = console;
        this.interactive = console.interactive();
    }

    @Override
    public void progress(PullProgress p) {
        if (interactive) {
            draw(p);
        } else {
            say(p);
        }
    }

    private void draw(PullProgress p) {
        boolean over = p.phase() == Phase.DONE;
        if (over && !drawn) {
            return;
        }
        drawn = true;
        int full = p.total() == 0 ? 0 : (int) Math.clamp((double) BAR * p.done() / p.total(), 0, BAR);
        String line = switch (p.phase()) {
            case WAITING -> "waiting for another process that pulls " + p.repository();
            case LISTING -> "asking for " + p.repository();
            case VERIFYING -> "verifying [" + "#".repeat(full) + " ".repeat(BAR - full) + "] " + percent(p) + "% of " + ByteCount.text(p.total());
            case FETCHING, DONE -> "pulling [" + "#".repeat(full) + " ".repeat(BAR - full) + "] " + percent(p) + "% of "
                    + ByteCount.text(p.total()) + (p.phase() == Phase.FETCHING ? rate(p) : "");
        };
        String shown = line.length() > WIDTH ? line.substring(0, WIDTH) : line;
        console.err().print("\r" + shown + " ".repeat(WIDTH - shown.length()) + "\r");
    }

    private void say(PullProgress p) {
        boolean first = said != p.phase();
        said = p.phase();
        long now = p.total() == 0 ? 0 : 10 * p.done() / p.total();
        switch (p.phase()) {
            case WAITING -> line(first, "waiting for another process that pulls " + p.repository());
            case FETCHING -> {
                line(first, "pulling " + p.repository() + ": " + ByteCount.text(p.total()) + " in " + p.files()
                        + (p.files() == 1 ? " file" : " files") + (p.done() > p.fetched() ? ", " + ByteCount.text(p.done() - p.fetched()) + " of it here" : ""));
                line(!first && now > tenth && now < 10 && p.total() >= LARGE, percent(p) + "% of " + ByteCount.text(p.total()) + rate(p));
                tenth = now;
            }
            case LISTING, VERIFYING, DONE -> { }
        }
    }

    private void line(boolean wanted, String text) {
        if (wanted) {
            console.err().println("poot: " + text);
        }
    }

    private static long percent(PullProgress p) {
        return p.total() == 0 ? 100 : Math.clamp(100 * p.done() / p.total(), 0, 100);
    }

    private static String rate(PullProgress p) {
        if (p.bytesPerSecond() < 1) {
            return "";
        }
        long seconds = Math.round((p.total() - p.done()) / p.bytesPerSecond());
        String left = seconds >= 3600 ? String.format(Locale.ROOT, "%d:%02d h", seconds / 3600, seconds / 60 % 60)
                : seconds >= 60 ? String.format(Locale.ROOT, "%d:%02d min", seconds / 60, seconds % 60) : seconds + " s";
        return ", " + ByteCount.text((long) p.bytesPerSecond()) + "/s, " + left + " left";
    }

    /** Takes the bar off the screen. */
    void close() {
        if (drawn) {
            console.err().print("\r" + " ".repeat(WIDTH) + "\r");
        }
    }
}
