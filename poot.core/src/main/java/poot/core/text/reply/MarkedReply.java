package poot.core.text.reply;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import poot.core.text.reply.MarkerScan.Marker;

/** A reply as running text, with marks around reasoning and calls. White space beside a mark belongs to it. */
final class MarkedReply implements Machine {
    private final Events events;
    private final Offered offered;
    private final Dialect dialect;
    private final List<ReasoningMarks> reasonings;
    private final MarkerScan text;
    private MarkerScan reasoning;            // while inside, else null
    private CallReader call;                 // while inside, else null
    private boolean skipsSpace;

    /**
     * @param dialect    none where no call is read
     * @param reasonings those the reply may begin with
     * @param inside     the reasoning the prompt has opened
     */
    MarkedReply(Events events, Offered offered, Optional<Dialect> dialect, List<ReasoningMarks> reasonings,
            Optional<ReasoningMarks> inside) {
        this.events = events;
        this.offered = offered;
        this.dialect = dialect.orElse(null);
        this.reasonings = reasonings;
        List<Marker> markers = new ArrayList<>();
        dialect.ifPresent(d -> {
            d.marks().forEach(m -> markers.add(new Marker(m.text(), m.opening())));
            d.silent().forEach(s -> markers.add(new Marker(s)));
        });
        reasonings.forEach(r -> {
            markers.add(new Marker(r.open(), true));
            markers.add(new Marker(r.close(), true)); // some close what was not open, to say that they do not reason
        });
        this.text = new MarkerScan(markers, true, events::text);
        inside.ifPresent(this::enter);
    }

    @Override
    public void take(char c) {
        if (call != null) {
            switch (call.take(c)) {
                case MORE -> {
                    return;
                }
                case CLOSED -> {
                    call = null;
                    skipsSpace = true;
                    return;
                }
                case STRAY -> {
                    call = null;
                    return;
                }
                case LEFT -> call = null;
            }
        }
        if (skipsSpace && MarkerScan.isSpace(c)) {
            return;
        }
        skipsSpace = false;
        if (reasoning != null) {
            if (reasoning.take(c) != null) {
                reasoning = null;
                skipsSpace = true;
            }
        } else {
            Marker found = text.take(c);
            if (found != null) {
                marked(found.text());
            }
        }
    }

    @Override
    public void end() {
        if (call != null) {
            call.end();
        }
        if (reasoning != null) {
            reasoning.flush();
        } else {
            text.flush();
        }
    }

    private void enter(ReasoningMarks marks) {
        reasoning = new MarkerScan(List.of(new Marker(marks.close())), true, events::reasoning);
        skipsSpace = true;
    }

    private void marked(String mark) {
        for (ReasoningMarks r : reasonings) {
            if (r.open().equals(mark)) {
                enter(r);
                return;
            }
        }
        for (Dialect.Mark m : dialect == null ? List.<Dialect.Mark>of() : dialect.marks()) {
            if (m.text().equals(mark)) {
                String before = text.matched();
                int from = m.opening() ? before.length() - mark.length() : before.length();
                call = new ForkReader(new Frame(events, offered, before.substring(0, from), text::putBack), m.spellings());
                before.chars().skip(from).forEach(c -> take((char) c));
                return;
            }
        }
        skipsSpace = true;
    }
}
