package poot.core.text.tokenizer;

import java.nio.file.Path;
import poot.api.model.CheckpointException;
import poot.core.text.regex.RegexException;
import poot.core.text.regex.TextPattern;

/** The file being read, and the refusals that name it. */
record FaultSite(Path file) {
    /** Longest piece, token or replacement read, in UTF-16 units. */
    static final int MAX_PIECE = 4096;
    /** Largest id a vocabulary may use. */
    static final int MAX_ID = (1 << 24) - 1;

    /** The refusal of something that breaks the format's rules. */
    CheckpointException malformed(String where, String reason) {
        return new CheckpointException(new CheckpointException.Malformed(file, where, reason));
    }

    /** The refusal of something well formed that has no reader here. */
    CheckpointException unsupported(String where, String what) {
        return new CheckpointException(new CheckpointException.Unsupported(file, where, what));
    }

    /** Compiles a pattern of the file. */
    TextPattern pattern(String where, String pattern) throws CheckpointException {
        try {
            return TextPattern.compile(pattern);
        } catch (RegexException e) {
            String what = "pattern " + quoted(pattern) + ": " + e.getMessage();
            throw e.unsupported()
                    ? new CheckpointException(new CheckpointException.Unsupported(file, where, what), e)
                    : new CheckpointException(new CheckpointException.Malformed(file, where, what), e);
        }
    }

    /** A piece of bounded length. */
    String piece(String where, String piece) throws CheckpointException {
        if (piece.length() > MAX_PIECE) {
            throw unsupported(where, "a piece of more than " + MAX_PIECE + " UTF-16 units");
        }
        return piece;
    }

    /** A text from the file, shortened for a message. */
    static String quoted(String text) {
        return "\"" + (text.length() <= 80 ? text : text.substring(0, 77) + "...") + "\"";
    }
}
