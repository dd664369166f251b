package poot.core.text.reply;

/** The end marker of a call: white space and other characters that mean nothing, then the marker. */
final class Closing {
    private final Frame frame;
    private final String marker;
    private final String ignored;
    private int matched;

    /** @param ignored characters besides white space that may come before the marker */
    Closing(Frame frame, String marker, String ignored) {
        this.frame = frame;
        this.marker = marker;
        this.ignored = ignored;
    }

    CallReader.Step take(char c) {
        if (matched == 0 && (MarkerScan.isSpace(c) || ignored.indexOf(c) >= 0)) {
            if (frame.isFull()) {
                return frame.refuse();
            }
            frame.keep(c);
            return CallReader.Step.MORE;
        }
        if (c != marker.charAt(matched)) {
            return frame.refuse();
        }
        frame.keep(c);
        if (++matched < marker.length()) {
            return CallReader.Step.MORE;
        }
        frame.settle();
        return CallReader.Step.CLOSED;
    }

    void end() {
        if (matched > 0) {
            frame.refuse();
        }
    }
}
