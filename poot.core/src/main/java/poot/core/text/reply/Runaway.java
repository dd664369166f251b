package poot.core.text.reply;

import java.util.List;

/** The rest of arguments whose brackets went wrong: everything up to the call's end marker, or to the reply's end. */
final class Runaway {
    private final Events events;
    private final MarkerScan scan;

    /** @param close the end marker, empty where there is none */
    Runaway(Events events, String close) {
        this.events = events;
        this.scan = close.isEmpty() ? null : new MarkerScan(List.of(new MarkerScan.Marker(close)), true, events::arguments);
    }

    CallReader.Step take(char c) {
        if (scan == null) {
            events.arguments(String.valueOf(c));
        } else if (scan.take(c) != null) {
            events.end(false);
            return CallReader.Step.CLOSED;
        }
        return CallReader.Step.MORE;
    }

    void end() {
        if (scan != null) {
            scan.flush();
        }
        events.end(false);
    }
}
