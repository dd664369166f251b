package poot.core.text.reply;

import java.util.List;

/** A call whose spelling is told by the first character after the marker that is not white space. */
final class ForkReader implements CallReader {
    private final Frame frame;
    private final List<Dialect.Spelling> spellings;
    private CallReader reader;

    ForkReader(Frame frame, List<Dialect.Spelling> spellings) {
        this.frame = frame;
        this.spellings = spellings;
    }

    @Override
    public Step take(char c) {
        if (reader != null) {
            return reader.take(c);
        }
        if (MarkerScan.isSpace(c) && !frame.isFull()) {
            frame.keep(c);
            return Step.MORE;
        }
        for (Dialect.Spelling s : spellings) {
            if (s.begins(c)) {
                reader = s.reader(frame);
                return reader.take(c);
            }
        }
        return frame.refuse();
    }

    @Override
    public void end() {
        if (reader != null) {
            reader.end();
        } else {
            frame.refuse();
        }
    }
}
